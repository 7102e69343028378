import { BadRequest, problem, Unavailable } from '../core/problem.ts'
import { type AccountAccess, noAccess, readAccess, writeAccess } from './account-access.ts'
import { AccountFailed, failed, limits } from './account-failures.ts'
import { removeLeftovers } from './account-leftovers.ts'
import type { FileRights, Files } from './files.ts'
import { findInPasswd, readEntry, type PasswdEntry } from './passwd.ts'
import type { Run } from './run.ts'

export const UsernameInvalid = problem('bad_request', 400, 'The user name is not valid')
export const UsernameTaken = problem('bad_request', 400, 'The user name is taken on this host')

export type { AccountAccess } from './account-access.ts'
export { AccountFailed } from './account-failures.ts'

export type Account = PasswdEntry

export interface NewAccount {
  readonly canSignIn?: boolean
  /** Its uid, and the gid of its group if that is free; the next free ones if absent. */
  readonly uid?: number
}

export interface AccountsFound {
  readonly present: boolean
  readonly version: string | null
  readonly healthy: boolean
  readonly reason: string | null
}

/** The comment of accounts that the panel has made, by which they are told from those that somebody else made. */
export const accountComment = 'Made by Hostreeve'

/** The Linux accounts of the host. */
export interface Accounts {
  detect(): Promise<AccountsFound>
  find(username: string): Promise<Account | undefined>
  /** Creates the account and its home, `/home/{username}`, which the web server may traverse and other users may not. */
  create(username: string, options?: NewAccount): Promise<Account>
  /** The highest uid in the range of useradd(8), to `lastUserUid`; 999 where there is none. */
  highestUid(): Promise<number>
  /** True if its home is as `create` leaves it: a panel that was killed may have left it closed to the web server. */
  isWhole(account: Account): Promise<boolean>
  /** What may be done with an account; undefined if there is none. */
  access(username: string): Promise<AccountAccess | undefined>
  setAccess(username: string, access: AccountAccess): Promise<void>
  /** The owner and rights of a home that is a directory of its account alone; undefined for any other. */
  ownHome(account: Account): Promise<FileRights | undefined>
  /** The names of all groups of an account. */
  groupsOf(username: string): Promise<readonly string[]>
  /** The group of the web server, which may traverse homes. */
  webGroup(): Promise<number | undefined>
  /** Ends all processes of an account. */
  endProcesses(account: Account): Promise<void>
  /** Removes an account with its crontab and what it owns in `leftoverFolders`. A kept home is given to root and closed. */
  remove(username: string, options: { readonly keepHome: boolean }): Promise<void>
}

/** Throws UsernameInvalid unless the panel may give this name to a user. */
export function checkUsername(username: string): string {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(username))
    throw UsernameInvalid(`username: ${username.slice(0, 64)} is not a valid user name`)
  if (reserved.has(username)) throw UsernameInvalid(`username: ${username} is reserved`)
  return username
}

/** Names of the system and of packages that may be installed later and would find their account taken. */
const reserved = new Set(
  `root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody admin administrator sudo adm wheel operator
  _apt systemd-network systemd-resolve systemd-timesync messagebus sshd ftp mysql postgres mongodb redis nginx apache pdns dnsdist haproxy
  keepalived docker rabbitmq opensearch proxysql exim debian-exim postfix dovecot bind named ntp chrony syslog tcpdump hostreeve tailscale headscale`.split(
    /\s+/,
  ),
)

const firstUserUid = 1000
/** UID_MAX of login.defs(5); directory services and systemd use higher ones. */
export const lastUserUid = 60_000
const nobodyUid = 65_534

/** Opens the accounts of the host. */
export function openAccounts(run: Run, files: Files): Accounts {
  const find = (username: string) => findAccount(run, files, username)
  return {
    detect: async () => {
      const { code } = await run(['useradd', '--help'], limits)
      const reason =
        code === 127
          ? 'useradd is not installed'
          : process.getuid?.() === 0
            ? null
            : 'only root can change accounts'
      return { present: code !== 127, version: null, healthy: reason === null, reason }
    },
    find,
    create: (username, options = {}) => makeAccount({ run, files, find }, username, options),
    highestUid: async () =>
      Math.max(
        firstUserUid - 1,
        ...(await listAccounts(run)).map(({ uid }) => uid).filter((uid) => uid <= lastUserUid),
      ),
    access: async (username) => {
      const account = await find(username)
      return account && readAccess(run, account)
    },
    setAccess: (username, access) => writeAccess(run, username, access),
    ownHome: (account) => findOwnHome(run, files, account),
    groupsOf: (username) => findGroupsOf(run, username),
    webGroup: () => findGroup(run, 'www-data'),
    endProcesses: ({ uid }) => endProcesses(run, uid),
    isWhole: ({ home }) => isOpenToWebServer(run, files, home),
    remove: async (username, { keepHome }) => {
      const account = await find(username)
      if (account) await removeAccount(run, files, account, keepHome)
    },
  }
}

async function findGroupsOf(run: Run, username: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(['id', '--groups', '--name', '--', username], limits)
  if (code !== 0) throw failed(username, 'id', code, stderr)
  return stdout.trim().split(' ')
}

interface Making {
  readonly run: Run
  readonly files: Files
  readonly find: Accounts['find']
}

async function makeAccount(
  { run, files, find }: Making,
  username: string,
  options: NewAccount,
): Promise<Account> {
  checkUsername(username)
  const home = `/home/${username}`
  if ((await find(username)) !== undefined) throw UsernameTaken(`username: ${username} is taken on this host`)
  if ((await files.facts(home)) !== undefined) throw UsernameTaken(`username: ${home} exists already`)
  const webGid = await findGroup(run, 'www-data')
  await createAccount(run, username, home, {
    shell: options.canSignIn === false ? '/usr/sbin/nologin' : '/bin/bash',
    webGid,
    uid: options.uid,
  })
  const account = await find(username)
  if (account === undefined) throw AccountFailed(`${username}: useradd created no account`)
  if (webGid !== undefined) await files.makeDirectory(home, { uid: account.uid, gid: webGid, mode: 0o710 })
  return account
}

async function findOwnHome(run: Run, files: Files, account: Account): Promise<FileRights | undefined> {
  const { username, uid, home } = account
  const facts = await files.facts(home)
  if (facts?.kind !== 'directory' || facts.uid !== uid) return undefined
  const isShared = (await listAccounts(run)).some(
    (other) =>
      other.username !== username &&
      (`${other.home}/`.startsWith(`${home}/`) || (other.home !== '/' && home.startsWith(`${other.home}/`))),
  )
  return isShared ? undefined : facts
}

async function listAccounts(run: Run): Promise<readonly Account[]> {
  const { code, stdout, stderr } = await run(['getent', 'passwd'], { ...limits, maxBytes: 16 * 1024 * 1024 })
  if (code !== 0) throw failed('passwd', 'getent', code, stderr)
  return stdout.split('\n').flatMap((line) => readEntry(line) ?? [])
}

const isOrdinary = (uid: number): boolean => uid >= firstUserUid && uid < nobodyUid

async function removeAccount(run: Run, files: Files, account: Account, keepHome: boolean): Promise<void> {
  const { username } = account
  if (!isOrdinary(account.uid)) throw BadRequest(`username: ${username} is an account of the system`)
  await writeAccess(run, username, noAccess) // nobody signs in between the steps
  await endProcesses(run, account.uid)
  await removeLeftovers({ run, files }, account)
  const { code, stderr } = await run(['userdel', ...(keepHome ? [] : ['--remove']), '--', username], {
    ...limits,
    timeoutMs: 10 * 60_000,
  })
  // 12: the account was removed, and its home or mailbox did not exist
  if (code !== 0 && code !== 12) throw failed(username, 'userdel', code, stderr)
  if ((await files.facts(account.home))?.kind !== 'directory') return
  await files.makeDirectory(account.home, { uid: 0, gid: 0, mode: 0o700 })
  if (!keepHome)
    throw AccountFailed(
      `${username}: the account was removed, but not its home ${account.home}, which only root can open now: ${stderr.trim().slice(0, 500)}`,
    )
}

async function isOpenToWebServer(run: Run, files: Files, home: string): Promise<boolean> {
  const facts = await files.facts(home)
  const webGid = await findGroup(run, 'www-data')
  return facts?.kind === 'directory' && (webGid === undefined || facts.gid === webGid)
}

async function findAccount(run: Run, files: Files, username: string): Promise<Account | undefined> {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/i.test(username)) return undefined
  const known = await findInPasswd(files, username)
  if (known !== undefined) return known
  const { code, stdout, stderr } = await run(['getent', 'passwd', '--', username], limits)
  if (code === 2) return undefined
  if (code === 127) throw Unavailable('getent is not installed')
  if (code !== 0) throw failed(username, 'getent', code, stderr)
  const found = readEntry(stdout)
  return found?.username === username ? found : undefined
}

async function findGroup(run: Run, name: string): Promise<number | undefined> {
  const { code, stdout } = await run(['getent', 'group', '--', name], limits)
  return code === 0 ? Number(stdout.split(':')[2]) : undefined
}

/**
 * The home is created without access for others. With a group www-data it becomes 0710 with that group: only nginx can traverse it.
 * Without one, others may traverse it but not list it (0711).
 */
async function createAccount(
  run: Run,
  username: string,
  home: string,
  how: { shell: string; webGid: number | undefined; uid: number | undefined },
): Promise<void> {
  const mode = how.webGid === undefined ? '0711' : '0710'
  const argv = [
    'useradd',
    '--create-home',
    '--user-group',
    '--home-dir',
    home,
    '--comment',
    accountComment,
    '--shell',
    how.shell,
    '--key',
    `HOME_MODE=${mode}`,
    ...(how.uid === undefined ? [] : ['--uid', String(how.uid)]),
    '--',
    username,
  ] as const
  const { code, stderr } = await run(argv, limits)
  if (code === 127) throw Unavailable('useradd is not installed')
  if (code === 9) throw UsernameTaken(`username: ${username} is taken on this host`)
  if (code !== 0) throw failed(username, 'useradd', code, stderr)
}

/**
 * Ends what runs with the uid, whoever started it (a setuid program of the account): an account with running
 * processes is not removed. pkill returns 1 when there are none.
 */
async function endProcesses(run: Run, uid: number): Promise<void> {
  for (const option of ['--uid', '--euid']) {
    const { code, stderr } = await run(['pkill', '--signal', 'KILL', option, String(uid)], limits)
    if (code > 1) throw failed(String(uid), 'pkill', code, stderr)
  }
}
