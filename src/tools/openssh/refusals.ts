import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { type FileStat, type Owner, ownerProblems } from '../../host/owner/index.ts'
import { ownerNamed } from './set-key.ts'
import { readEffective, type SshdSettings } from './sshd.ts'

type RefusalHost = Pick<Host, 'run' | 'accounts' | 'owners'>

const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }
/** What sshd checks with StrictModes, from the home on (auth_secure_path of OpenSSH). */
const keyPaths = { '': 'the home', '.ssh': '~/.ssh', '.ssh/authorized_keys': '~/.ssh/authorized_keys' }

/**
 * Returns why sshd refuses an account with a key, in its own settings for this account and in the modes on the way to
 * its keys; none where it admits the account, or is not installed. `afterKey` leaves out what adding a key mends.
 */
export async function findRefusals(
  host: RefusalHost,
  username: string,
  { afterKey = false }: { readonly afterKey?: boolean } = {},
): Promise<readonly string[]> {
  const settings = await readEffective(host, username)
  if (settings === undefined) return []
  if ('error' in settings) return [`sshd cannot read its configuration: ${settings.error}`]
  return [
    ...(await refusalsByList(host, username, settings)),
    ...refusalsOfKeys(username, settings),
    ...(settings.get('strictmodes')?.[0] === 'yes' ? await refusalsByModes(host, username, afterKey) : []),
  ]
}

/** In the order in which sshd asks them (sshd_config(5)). A pattern with an address may admit from elsewhere. */
async function refusalsByList(
  { accounts }: RefusalHost,
  username: string,
  settings: SshdSettings,
): Promise<readonly string[]> {
  const list = (name: string) => settings.get(name) ?? []
  const namesGroups = list('denygroups').length > 0 || list('allowgroups').length > 0
  const groups = namesGroups ? await accounts.groupsOf(username) : []
  const isMember = (pattern: string) => groups.some((group) => matches(group, pattern))
  const denied = list('denyusers').find((pattern) => matches(username, pattern.replace(/@\*$/, '')))
  const isAllowed = list('allowusers').some((pattern) => matches(username, pattern.replace(/@[^@]*$/, '')))
  const deniedGroup = list('denygroups').find(isMember)
  return [
    ...(denied ? [`DenyUsers in the configuration of sshd names ${denied}`] : []),
    ...(list('allowusers').length > 0 && !isAllowed
      ? [`AllowUsers in the configuration of sshd does not name ${username}`]
      : []),
    ...(deniedGroup ? [`${username} is in a group that DenyGroups names: ${deniedGroup}`] : []),
    ...(list('allowgroups').length > 0 && !list('allowgroups').some(isMember)
      ? [`${username} is in no group that AllowGroups names: ${list('allowgroups').join(', ')}`]
      : []),
  ]
}

function refusalsOfKeys(username: string, settings: SshdSettings): readonly string[] {
  const files = settings.get('authorizedkeysfile') ?? []
  const isRead = files.some((each) => /^(?:%h\/|\/home\/[^/]+\/)?\.ssh\/authorized_keys$/.test(each))
  return [
    ...(settings.get('pubkeyauthentication')?.[0] === 'no'
      ? ['sshd takes no keys: PubkeyAuthentication no']
      : []),
    ...(files.length > 0 && !isRead
      ? [`sshd reads the keys of ${username} from ${files.join(', ')}, not from ~/.ssh/authorized_keys`]
      : []),
  ]
}

async function refusalsByModes(
  host: RefusalHost,
  username: string,
  afterKey: boolean,
): Promise<readonly string[]> {
  const owner = await ownerNamed(host, username)
  const found: string[] = []
  for (const [path, name] of Object.entries(keyPaths)) {
    if (afterKey && path !== '') break
    const entry = await entryAt(owner, path)
    if (entry === undefined) break
    if (![username, '0', 'root'].includes(entry.owner))
      found.push(`${name} belongs to the uid ${entry.owner}, not to ${username}`)
    if (await isWritableByOthers(host, username, entry))
      found.push(
        `others may write to ${name} (mode ${entry.mode}): take the right to write from group and others`,
      )
  }
  return found
}

/** Debian's sshd admits a group that has no other member (its patch user-group-modes). */
async function isWritableByOthers(
  { run }: RefusalHost,
  username: string,
  { mode, group }: FileStat,
): Promise<boolean> {
  const bits = Number.parseInt(mode, 8)
  if ((bits & 0o002) !== 0) return true
  if ((bits & 0o020) === 0) return false
  if (group !== username) return true
  const { stdout } = await run(['getent', 'group', '--', group], limits)
  const members = stdout.trim().split(':')[3] ?? ''
  return members !== '' && members !== username
}

async function entryAt(owner: Owner, path: string): Promise<FileStat | undefined> {
  try {
    return await owner.stat(path)
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return undefined
    throw error
  }
}

/** A pattern of sshd: `*` and `?` (ssh_config(5), PATTERNS). */
function matches(name: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`).test(name)
}
