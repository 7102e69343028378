import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

/** The website of the owner; it has no crontab. */
export const samples: TenantSamples = {
  params: async (_panel, _owner, { websites = {} }) => websites,
  fields: { line: 1, crontab: '@daily true' },
}
