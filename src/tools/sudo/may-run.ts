import type { Host } from '../../host/index.ts'
import { SudoFailed } from './sudoers.ts'

const limits = { timeoutMs: 20_000, maxBytes: 256 * 1024 }

/**
 * Asks sudo itself whether an account may run something as another one: the rule may be for a group, an alias or a
 * uid, in any file, or in a directory service. sudo answers with exit status 0 in both cases (sudo(8), `--list`), so
 * anything but its denial counts as a right.
 */
export async function mayRun(
  { run, files }: Pick<Host, 'run' | 'files'>,
  username: string,
): Promise<boolean> {
  if ((await files.facts('/usr/bin/sudo')) === undefined) return false
  const argv = ['sudo', '--non-interactive', '--list', `--other-user=${username}`] as const
  const { code, stdout, stderr } = await run(argv, limits)
  if (code !== 0) throw SudoFailed(`sudo: ${(stderr.trim() || `exit status ${code}`).slice(0, 2000)}`)
  return !/^User \S+ is not allowed to run sudo on /m.test(stdout)
}
