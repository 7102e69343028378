import { problem } from '../../core/problem.ts'

export const SignInRefused = problem('unauthorized', 401, 'The e-mail address or the password is wrong')
export const RefreshRefused = problem(
  'unauthorized',
  401,
  'The refresh token is invalid or expired: sign in again',
)
export const PasswordWrong = problem('bad_request', 400, 'The current password is wrong')
export const TooManyAttempts = problem(
  'rate_limited',
  429,
  'Too many failed sign-ins from your address: try again later',
)
export const OtpRequired = problem('otp_required', 401, 'Enter the code of your second factor')
export const SignInCodeWrong = problem('unauthorized', 401, 'The code is wrong, or was used before')
export const OtpWrong = problem('bad_request', 400, 'The code is wrong, or was used before')
export const OtpNotSetUp = problem('conflict', 409, 'Set up one-time codes before you enable them')
export const OtpAlreadyEnabled = problem('conflict', 409, 'Your second factor is enabled already')
export const OtpNotEnabled = problem('conflict', 409, 'Your second factor is not enabled')
export const PasskeyRefused = problem(
  'unauthorized',
  401,
  'The passkey is unknown here, or could not be verified',
)
export const PasskeyInvalid = problem('bad_request', 400, 'The passkey cannot be verified')
export const PasskeyKnown = problem('already_exists', 409, 'The passkey is known already')
export const PasskeysFull = problem('conflict', 409, 'You have the most passkeys that a user can have')
export const OriginUnsuitable = problem('bad_request', 400, 'Passkeys need HTTPS and a host name')
export const TooManyCodes = problem('rate_limited', 429, 'Too many wrong codes: try again later')
