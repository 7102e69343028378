import { problem } from '../../core/problem.ts'

export const NoSuchPart = problem('not_found', 404, 'The HAProxy configuration has no such section')
export const NameTaken = problem('conflict', 409, 'The name is already used in the HAProxy configuration')
export const StillUsed = problem('conflict', 409, 'Another section of the HAProxy configuration uses it')
export const OnlyByHand = problem('conflict', 409, 'This section can only be edited as text')
export const StatementInvalid = problem('bad_request', 400, 'HAProxy cannot parse this as one statement')
export const NotRunning = problem(
  'config_failed',
  500,
  'HAProxy is not running, or does not respond on its socket',
)
export const CertificateInvalid = problem(
  'bad_request',
  400,
  'The PEM must contain a certificate and its private key',
)
