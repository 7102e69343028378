import { problem } from '../../core/problem.ts'

export const NoSuchPart = problem('not_found', 404, 'The configuration of HAProxy has no such part')
export const NameTaken = problem('conflict', 409, 'The name is taken in the configuration of HAProxy')
export const StillUsed = problem('conflict', 409, 'Another part of the configuration of HAProxy uses it')
export const OnlyByHand = problem(
  'conflict',
  409,
  'This part of the configuration can only be changed as text',
)
export const StatementInvalid = problem('bad_request', 400, 'HAProxy could not read this as one statement')
export const NotRunning = problem(
  'config_failed',
  500,
  'HAProxy does not run, or does not answer on its socket',
)
export const CertificateInvalid = problem('bad_request', 400, 'This is no certificate with its key')
