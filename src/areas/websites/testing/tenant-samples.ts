import type { Person, TestPanel } from '../../../../test/support/panel.ts'
import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { insertRow } from '../../../store/rows.ts'

export const samples: TenantSamples = {
  params: async (panel, owner) => ({
    id: String(await addWebsite(panel, owner)),
    name: 'alias.ada.example.com',
  }),
  fields: { name: 'other.example.com', domain: 'other.example.com' },
}

async function addWebsite(panel: TestPanel, { id: user_id }: Person): Promise<number> {
  const id = panel.store.nextId('websites')
  const at = new Date().toISOString()
  const row = {
    id,
    domain: 'ada.example.com',
    user_id,
    username: 'ada',
    type: 'static' as const,
    root: '/home/ada/sites/ada.example.com/public',
    is_suspended: 0,
    certificate: null,
    https_redirect: 0,
    hsts: 0,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
  await panel.store.transaction((tx) =>
    panel.store.write(tx, [
      insertRow('websites', row),
      insertRow('website_aliases', { name: 'alias.ada.example.com', website_id: id }),
    ]),
  )
  return id
}
