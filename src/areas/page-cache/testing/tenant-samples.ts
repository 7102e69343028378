import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

/** The website of the owner; it keeps no pages. */
export const samples: TenantSamples = {
  params: async (_panel, _owner, { websites = {} }) => websites,
  fields: { path: '/' },
}
