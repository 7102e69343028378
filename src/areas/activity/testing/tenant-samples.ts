import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { appendActivity } from '../../../changes/activity.ts'

export const samples: TenantSamples = {
  params: async (panel, { id: user_id }) => {
    const request = { method: 'POST', path: '/api/websites', request: '{}', request_id: 'sample' }
    const entry = { action: 'websites_create_website', user_id, key_id: null, ip: '192.0.2.1', ...request }
    const outcome = { status: 'ok', message: 'Sample', duration_ms: 1, change_id: null } as const
    const created_at = new Date().toISOString()
    const id = await panel.store.transaction((tx) =>
      appendActivity(panel.store, tx, { ...entry, ...outcome, created_at }),
    )
    return { id: String(id) }
  },
}
