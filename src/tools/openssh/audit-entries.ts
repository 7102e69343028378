import type { Run } from '../../host/run.ts'
import { entriesIn, journalOfSshd } from './sign-ins.ts'

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
const wanted = '^(Accepted|Failed|Invalid user|Starting session:|Disconnected from user) '

/** Lists what sshd has logged, the latest first; empty where the host keeps no journal. */
export async function readAudit(run: Run): Promise<readonly AuditEntry[]> {
  const argv = [...journalOfSshd, `--grep=${wanted}`, `--lines=${most}`] as const
  const { stdout } = await run([...argv], { timeoutMs: 10_000, maxBytes: 8 * 1024 * 1024 })
  return entriesIn(stdout).flatMap(({ at, message }) => {
    const entry = readMessage(message)
    return entry === undefined ? [] : [{ at, ...entry }]
  })
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
