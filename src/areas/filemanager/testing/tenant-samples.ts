import type { Person, TestPanel } from '../../../../test/support/panel.ts'
import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { insertRow } from '../../../store/rows.ts'

export const samples: TenantSamples = {
  params: async (panel, owner, { websites }) => ({
    website_id: websites?.['id'] ?? '',
    id: String(await addUpload(panel, owner)),
  }),
  fields: { mode: '0644' },
}

async function addUpload(panel: TestPanel, { id: user_id }: Person): Promise<number> {
  const id = panel.store.nextId('file_uploads')
  const at = new Date().toISOString()
  const times = { created_at: at, expires_at: '2999-01-01T00:00:00.000Z' }
  const file = {
    name: 'a1',
    path: JSON.stringify('notes.txt'),
    size_bytes: 5,
    sha256: null,
    if_match: null,
    overwrite: 0,
  }
  const row = {
    id,
    user_id,
    username: 'ada',
    ...file,
    state: 'open' as const,
    firm_bytes: 0,
    sealed_etag: null,
    file: null,
    ...times,
  }
  await panel.store.transaction((tx) => panel.store.write(tx, [insertRow('file_uploads', row)]))
  return id
}
