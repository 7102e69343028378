import { failed, limits } from './account-failures.ts'
import type { PasswdEntry } from './passwd.ts'
import type { Run } from './run.ts'

/** What may be done with an account. */
export interface AccountAccess {
  readonly shell: string
  /** True if no password is accepted; keys are still accepted until the account expires. */
  readonly isPasswordLocked: boolean
  /** The day after which nobody can sign in and cron runs nothing, in days since 1970; empty for never. */
  readonly expires: string
}

/** The access of an account that has been locked: it expired on the first day of all. */
export const noAccess: AccountAccess = { shell: '/usr/sbin/nologin', isPasswordLocked: true, expires: '1' }

/** Reads the access of an account; its password hash is not returned. */
export async function readAccess(run: Run, { username, shell }: PasswdEntry): Promise<AccountAccess> {
  const { code, stdout, stderr } = await run(['getent', 'shadow', '--', username], limits)
  if (code !== 0 && code !== 2) throw failed(username, 'getent', code, stderr)
  const [, hash = '!', , , , , , expires = ''] = stdout.trim().split(':')
  return { shell, isPasswordLocked: hash.startsWith('!'), expires }
}

/** Sets the access of an account. A password stays what it was; one that was never set cannot be unlocked. */
export async function writeAccess(run: Run, username: string, access: AccountAccess): Promise<void> {
  const { shell, isPasswordLocked, expires } = access
  const isLocked = isPasswordLocked ? '--lock' : '--unlock'
  const argv = ['usermod', '--shell', shell, '--expiredate', expires, isLocked, '--', username] as const
  const { code, stderr } = await run(argv, limits)
  if (code !== 0) throw failed(username, 'usermod', code, stderr)
}
