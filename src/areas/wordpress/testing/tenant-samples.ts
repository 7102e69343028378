import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

/** The website of the owner; the plugin is one that it might have. */
export const samples: TenantSamples = {
  params: async (_panel, _owner, { websites = {} }) => ({ ...websites }),
  fields: { name: 'akismet/akismet.php' },
}
