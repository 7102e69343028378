import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

/** The website of the owner; it has no staging copy. */
export const samples: TenantSamples = {
  params: async (_panel, _owner, { websites = {} }) => websites,
  fields: { domain: 'staging.example.com' },
}
