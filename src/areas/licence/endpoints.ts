import Type from 'typebox'
import { local } from '../../core/endpoint.ts'
import { data } from '../../core/reply.ts'
import { Optional } from '../../core/schemas.ts'
import { endpoint } from './context.ts'
import * as licences from './licence.ts'
import { Activated, LicenceKey, PanelLicence } from './model.ts'
import {
  ActivationFailed,
  KeyMissing,
  LicenceNotStored,
  LicenceServerFailed,
  LicenceUnreadable,
} from './problems.ts'

export const readLicence = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read the licence of this host and the features that it grants',
  effect: 'reads',
  reply: data(PanelLicence),
  run: ({ licence, now }) => licences.readLicence(licence, now),
})

export const activateLicence = endpoint({
  method: 'POST',
  path: '/activate',
  summary: 'Get the licence of a key from the licence server and use it; it replaces the former one',
  effect: 'changes',
  category: local('a licence is for one host'),
  body: Type.Object({ license_key: Optional(LicenceKey) }),
  reply: data(Activated),
  throws: {
    bad_request: KeyMissing,
    activation_failed: ActivationFailed,
    license_server_error: LicenceServerFailed,
    decode_error: LicenceUnreadable,
    write_error: LicenceNotStored,
  },
  run: ({ licence, body }) => licences.activateLicence(licence, body.license_key, (activated) => activated),
})
