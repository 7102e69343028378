import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

export const samples: TenantSamples = {
  params: async (_panel, { sessionId }) => ({ id: String(sessionId) }),
}
