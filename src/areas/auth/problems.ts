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
