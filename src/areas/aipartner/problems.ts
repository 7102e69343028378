import Type from 'typebox'
import { problem } from '../../core/problem.ts'
import { Time } from '../../core/schemas.ts'

export const AlreadyActivated = problem('already_activated', 409, 'The trial of this host was activated', {
  fields: Type.Object({
    trial: Type.Object({
      expires_at: Time,
      activated_at: Time,
      blocked: Type.Boolean({ description: 'Whether the partner has blocked it' }),
    }),
  }),
})
export const BuildMisconfigured = problem(
  'build_misconfigured',
  500,
  'This build has no AI partner: set partner_api_url and partner_secret',
)
export const SecretRejected = problem(
  'partner_secret_rejected',
  502,
  'The AI partner does not know the secret of this build',
)
export const PartnerFailed = problem('partner_error', 502, 'The AI partner refused', { passesStatus: true })
export const PartnerUnreachable = problem('partner_unreachable', 502, 'The AI partner cannot be reached')
export const NotActivated = problem('not_activated', 400, 'There is no trial: activate it first')
export const InstallRejected = problem('install_failed', 400, 'The gateway cannot be installed')
export const AlreadyInstalled = problem('install_failed', 409, 'The gateway is installed')
