import type { Host } from '../../host/index.ts'
import { readNames } from '../../host/passwd.ts'
import { entriesIn, journalOfAnyone, journalOfSshd } from './sign-ins.ts'

/** What sshd has logged of a sign-in or a session. */
export interface AuditEntry {
  readonly at: string
  readonly event: 'login' | 'failed' | 'session' | 'logout'
  readonly user: string
  /** The address. */
  readonly source: string
  /** How the user signed in or tried to, or what a session runs: `shell`, `command`, `subsystem`. */
  readonly method: string
  /** The subsystem or the forced command of a session; empty if sshd does not log it. */
  readonly command: string
}

const most = 5000
const limits = { timeoutMs: 10_000, maxBytes: 8 * 1024 * 1024 }

/**
 * Lists what sshd has logged; empty where the host keeps no journal. Once an account has signed in, its process of sshd
 * runs as the account: such a line counts only for that account, as it could have written the line itself.
 */
export async function readAudit({ run, files }: Pick<Host, 'run' | 'files'>): Promise<readonly AuditEntry[]> {
  const [names, ofRoot, ofAnyone] = await Promise.all([
    readNames(files),
    run(
      [...journalOfSshd, `--grep=^(Accepted|Failed|Invalid user|${ofSessions}) `, `--lines=${most}`],
      limits,
    ),
    run([...journalOfAnyone, `--grep=^(${ofSessions}) `, `--lines=${most}`], limits),
  ])
  const own = entriesIn(ofAnyone.stdout).filter(({ uid }) => uid !== 0)
  return [
    ...entriesIn(ofRoot.stdout).flatMap(auditEntry),
    ...own.flatMap((each) => auditEntry(each).filter(({ user }) => user === names.get(each.uid))),
  ]
}

const ofSessions = 'Starting session:|Disconnected from user'

function auditEntry({
  at,
  message,
}: {
  readonly at: string
  readonly message: string
}): readonly AuditEntry[] {
  const entry = readMessage(message)
  return entry === undefined ? [] : [{ at, ...entry }]
}

/** Names may contain spaces, which is why each pattern ends with the address (auth.c and session.c of OpenSSH). */
const attempt = /^(Accepted|Failed) (\S+) for (?:invalid user )?(.*) from (\S+) port \d+/s
const unknown = /^Invalid user (.*) from (\S+) port \d+/s
const session =
  /^Starting session: (shell|command|subsystem|forced-command)(?: on \S+)?(?: \([^)]*\))?(?: '(.*)')? (?:on \S+ )?for (\S+) from (\S+) port \d+/s
const end = /^Disconnected from user (.*) (\S+) port \d+/s

/** Takes a message of sshd apart; undefined for one that tells of no sign-in or session. */
export function readMessage(message: string): Omit<AuditEntry, 'at'> | undefined {
  const [, outcome, method = '', name = '', from = ''] = attempt.exec(message) ?? []
  if (outcome !== undefined)
    return entryOf(outcome === 'Accepted' ? 'login' : 'failed', { user: name, source: from, method })
  const [, stranger, address = ''] = unknown.exec(message) ?? []
  if (stranger !== undefined)
    return entryOf('failed', { user: stranger, source: address, method: 'unknown user' })
  const [, kind, command = '', user = '', source = ''] = session.exec(message) ?? []
  if (kind !== undefined) return entryOf('session', { user, source, method: kind, command })
  const [, left, place = ''] = end.exec(message) ?? []
  return left === undefined ? undefined : entryOf('logout', { user: left, source: place, method: '' })
}

const plain = (text: string, length: number) =>
  text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').slice(0, length)

function entryOf(
  event: AuditEntry['event'],
  { user, source, method, command = '' }: { user: string; source: string; method: string; command?: string },
): Omit<AuditEntry, 'at'> {
  return {
    event,
    user: plain(user, 256),
    source: plain(source, 253),
    method: plain(method, 50),
    command: plain(command, 2000),
  }
}
