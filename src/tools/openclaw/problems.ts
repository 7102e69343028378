import { problem } from '../../core/problem.ts'

export const NotConfigured = problem('ai_not_configured', 503, 'The assistant is not set up')
export const GatewayUnavailable = problem('gateway_unavailable', 503, 'The assistant does not answer')
export const ChallengeFailed = problem(
  'challenge_failed',
  503,
  'The assistant did not begin the conversation as expected',
)
export const AuthFailed = problem('auth_failed', 503, 'The assistant closed the connection at the sign-in')
export const AuthRejected = problem('auth_rejected', 503, 'The assistant rejected the token of the panel')
export const GatewayFailed = problem('gateway_error', 503, 'The assistant did not do what was asked')
export const InstallFailed = problem('install_failed', 500, 'OpenClaw was not installed')
export const ConfigRejected = problem('bad_request', 400, 'OpenClaw does not accept the configuration')
export const MaskMisplaced = problem('bad_request', 400, 'A mask does not stand for the secret at its place')
export const ConfigUnreadable = problem(
  'parse_failed',
  500,
  'The configuration of the assistant is not JSON5 with an object',
)
export const AccountTaken = problem(
  'conflict',
  409,
  'The Linux account of the assistant exists, and was not made by the panel',
)
export const CrontabFailed = problem('crontab_failed', 500, 'The crontab of the assistant was not changed')
