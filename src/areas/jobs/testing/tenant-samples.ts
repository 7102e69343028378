import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

export const samples: TenantSamples = {
  params: async (panel, { id: ownerId }) => {
    const job = await panel.jobs.enqueue({ kind: 'test.waits', input: {}, ownerId, title: 'A job' })
    return { id: String(job) }
  },
}
