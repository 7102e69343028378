import { problem } from '../../core/problem.ts'

export const KeyMissing = problem('bad_request', 400, 'A licence key is required')
export const ActivationFailed = problem('activation_failed', 400, 'The licence was refused')
export const LicenceServerFailed = problem(
  'license_server_error',
  502,
  'The licence server could not be reached',
)
export const LicenceUnreadable = problem(
  'decode_error',
  500,
  'The licence server sent no licence that can be trusted',
)
export const LicenceNotStored = problem('write_error', 500, 'The licence could not be stored')
export const LicenceLimit = problem('license_limit', 403, 'No more websites can be created')
