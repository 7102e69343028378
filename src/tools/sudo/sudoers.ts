import { problem, Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'

export const SudoFailed = problem('write_failed', 500, 'The rights of sudo could not be changed')

/** The directory of sudoers(5) that /etc/sudoers includes; sudo ignores names with a dot, such as those of files being prepared. */
const directory = '/etc/sudoers.d'
const included = /^[@#]includedir\s+"?\/etc\/sudoers\.d"?\s*$/m

/** The entry of an account. */
export const entryPath = (username: string): string => `${directory}/hostreeve-${username}`

/** Renders the entry of an account. An upper-case name would be an alias, and ALL everybody: such an account is named by its uid. */
export function renderEntry(username: string, uid: number): string {
  const name = /^[a-z_][a-z0-9_-]*$/.test(username) ? username : `#${uid}`
  return `# Written by Hostreeve for ${username}; the panel removes it when sudo is switched off.\n${name} ALL=(ALL:ALL) NOPASSWD: ALL\n`
}

const limits = { timeoutMs: 20_000, maxBytes: 64 * 1024 }

/** Puts an entry in place once visudo has accepted it; no other user may read it at any moment. */
export async function writeEntry(
  { run, files }: Pick<Host, 'run' | 'files'>,
  username: string,
  content: string,
): Promise<void> {
  if (!included.test((await files.read('/etc/sudoers')) ?? ''))
    throw SudoFailed(`/etc/sudoers does not include ${directory}: an entry there would have no effect`)
  const prepared = await files.prepare(entryPath(username), content, {
    rights: { uid: 0, gid: 0, mode: 0o440 },
  })
  const argv = ['visudo', '--check', '--strict', `--file=${files.real(prepared.preparedPath)}`] as const
  const { code, stdout, stderr } = await run(argv, limits)
  if (code === 0) return prepared.commit()
  await prepared.discard()
  if (code === 127) throw Unavailable('sudo is not installed')
  throw SudoFailed(`visudo: ${(stderr.trim() || stdout.trim() || `exit status ${code}`).slice(0, 2000)}`)
}

/** The groups whose members may administer the host, on the distributions that have them. */
export const administrativeGroups = ['sudo', 'wheel'] as const

/** Lists the administrative groups of this host, and whether an account is a member. */
export async function membership(
  run: Host['run'],
  username: string,
): Promise<Readonly<Record<string, boolean>>> {
  const found: Record<string, boolean> = {}
  for (const group of administrativeGroups) {
    const { code, stdout } = await run(['getent', 'group', '--', group], limits)
    if (code === 0) found[group] = (stdout.trim().split(':')[3] ?? '').split(',').includes(username)
  }
  return found
}

/** Adds an account to a group or removes it from the group. */
export async function setMember(
  run: Host['run'],
  username: string,
  { group, isMember }: { readonly group: string; readonly isMember: boolean },
): Promise<void> {
  const verb = isMember ? '--add' : '--delete'
  const { code, stderr } = await run(['gpasswd', verb, username, group], limits)
  if (code !== 0) throw SudoFailed(`gpasswd: ${(stderr.trim() || `exit status ${code}`).slice(0, 2000)}`)
}
