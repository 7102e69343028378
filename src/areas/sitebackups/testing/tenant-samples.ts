import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'

/** The website of the owner; it has the set default alone. */
export const samples: TenantSamples = {
  params: async (_panel, _owner, { websites = {} }) => ({ ...websites, name: 'nightly', drill_id: '1' }),
  fields: { set: 'default', name: 'nightly', username: 'ada', domain: 'ada.test' },
}
