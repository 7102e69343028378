import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

export const samples: TenantSamples = {
  params: async (panel, { id }) => {
    const body = { name: 'script' }
    const key = await panel.request('POST', `/api/users/${id}/api-keys`, { as: panel.admin, body })
    return { uid: String(id), kid: String(key.data.id) }
  },
  fields: { permissions: [] },
}
