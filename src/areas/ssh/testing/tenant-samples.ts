import type { TenantSamples } from '../../../../test/support/tenant-samples.ts'
import { madeKeys } from '../../../tools/openssh/testing/keys.ts'

export const samples: TenantSamples = {
  params: async (_panel, owner) => ({ uid: String(owner.id), id: 'A'.repeat(43) }),
  fields: { public_key: madeKeys.ed25519.line },
}
