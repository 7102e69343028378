import { problem } from '../../core/problem.ts'

export const KeyInvalid = problem('bad_request', 400, 'It is not a public key that sshd accepts')
export const KeysUnreadable = problem('conflict', 409, 'The authorized_keys of the account cannot be edited')
export const SessionsFailed = problem('sessions_failed', 500, 'The SSH sessions of the account did not end')
export const SshdRefused = problem('sshd_refused', 500, 'sshd does not accept the configuration')
export const PasswordFailed = problem('password_failed', 500, 'The password of the account could not be set')
