import type { Files } from './files.ts'

/** An entry of /etc/passwd. */
export interface PasswdEntry {
  readonly username: string
  readonly uid: number
  readonly gid: number
  /** The field for people, as the entry has it. */
  readonly comment: string
  readonly home: string
  readonly shell: string
}

/**
 * Finds an account in /etc/passwd, where nsswitch.conf(5) has the host ask that file before any directory: as getent does, without the
 * cost of a program. Undefined when the file does not decide it.
 */
export async function findInPasswd(files: Files, username: string): Promise<PasswdEntry | undefined> {
  const [passwd, nsswitch] = await Promise.all([files.read('/etc/passwd'), files.read('/etc/nsswitch.conf')])
  if (passwd === undefined || !asksFilesFirst(nsswitch)) return undefined
  const line = passwd.split('\n').find((each) => each.startsWith(`${username}:`))
  return line === undefined ? undefined : readEntry(line)
}

/** Reads the names of the accounts in /etc/passwd, by their uids; of several with one uid the first. */
export async function readNames(files: Pick<Files, 'read'>): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>()
  for (const line of ((await files.read('/etc/passwd')) ?? '').split('\n')) {
    const entry = readEntry(line)
    if (entry !== undefined && !names.has(entry.uid)) names.set(entry.uid, entry.username)
  }
  return names
}

/** Takes a line of passwd(5) apart; undefined when it is none. */
export function readEntry(line: string): PasswdEntry | undefined {
  const [username = '', , uid = '', gid = '', comment = '', home, shell, ...more] = line.trim().split(':')
  if (
    !/^\d+$/.test(uid) ||
    !/^\d+$/.test(gid) ||
    home === undefined ||
    shell === undefined ||
    more.length > 0
  )
    return undefined
  return { username, uid: Number(uid), gid: Number(gid), comment, home, shell }
}

// Without a line for passwd, or without the file, glibc asks the files alone.
function asksFilesFirst(nsswitch: string | undefined): boolean {
  const line = nsswitch?.split('\n').find((each) => /^\s*passwd\s*:/.test(each))
  return line === undefined || /^\s*passwd\s*:\s*files(\s|$)/.test(line)
}
