import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

export const samples: TenantSamples = {
  params: async (panel, owner) => {
    const body = { channels: [{ type: 'email', target: owner.email }] }
    const { data } = await panel.request('PUT', '/api/notifications/channels', { as: owner, body })
    return { id: String(data.channels[0].id) }
  },
}
