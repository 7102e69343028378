import { DiskFull, problem } from '../core/problem.ts'

export const AccountFailed = problem('account_failed', 500, 'The account could not be changed')

/** The limits of the programs that read and change accounts. */
export const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

/** The failure of a program that changes accounts, with its message. */
export function failed(username: string, program: string, code: number, stderr: string): Error {
  if (stderr.includes('No space left on device'))
    return DiskFull(`${username}: ${program}: no room is left on the disk (${stderr.trim().slice(0, 2000)})`)
  return AccountFailed(`${username}: ${program}: ${(stderr.trim() || `exit status ${code}`).slice(0, 2000)}`)
}
