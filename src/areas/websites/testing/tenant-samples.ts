import type { Person, TestPanel } from '../../../../test/support/panel.ts'
import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { addWebsite } from '../../../../test/support/websites.ts'
import { insertRow } from '../../../store/rows.ts'

export const samples: TenantSamples = {
  params: async (panel, owner) => ({
    id: String(await addAliased(panel, owner)),
    name: 'alias.ada.example.com',
  }),
  fields: { name: 'other.example.com', domain: 'other.example.com' },
}

async function addAliased(panel: TestPanel, { id: userId }: Person): Promise<number> {
  const id = await addWebsite(panel, { domain: 'ada.example.com', userId })
  const alias = insertRow('website_aliases', { name: 'alias.ada.example.com', website_id: id })
  await panel.store.transaction((tx) => panel.store.write(tx, [alias]))
  return id
}
