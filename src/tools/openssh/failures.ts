import type { Host } from '../../host/index.ts'

type JournalHost = Pick<Host, 'follow' | 'files'>

/** The names under which sshd logs; sessions have a program of their own since OpenSSH 9.8, and sign-ins since 10.0. */
const identifiers = ['sshd', 'sshd-session', 'sshd-auth']

/**
 * The unprivileged process hands its lines to the privileged one: any account can write to the journal under these names.
 * `--merge` as in the log of a service: `--follow` alone shows nothing where /proc has another boot id than journald saw.
 */
const argvOf = (machineId: string) =>
  [
    'journalctl',
    '--quiet',
    '--no-pager',
    '--output=json',
    '--output-fields=MESSAGE',
    '--lines=0',
    '--follow',
    '--merge',
    '_UID=0',
    `_MACHINE_ID=${machineId}`,
    ...identifiers.map((identifier) => `SYSLOG_IDENTIFIER=${identifier}`),
  ] as const

const dayMs = 24 * 60 * 60_000
const mostRemembered = 1000

/**
 * Yields the address of each failed sign-in to sshd as the journal receives it; ends after a day. Nothing on hosts
 * without the journal of systemd: in log files any account could write lines of sshd.
 */
export async function* followFailures(
  { follow, files }: JournalHost,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if ((await files.facts('/run/systemd/journal/socket')) === undefined) return
  const machineId = ((await files.read('/etc/machine-id')) ?? '').trim()
  const isCounted = openFailures()
  for await (const line of follow(argvOf(machineId), { timeoutMs: dayMs, signal }).lines) {
    const message = messageIn(line)
    const failure = message === undefined ? undefined : parseFailure(message)
    if (failure !== undefined && isCounted(failure)) yield failure.address
  }
}

/** A line of sshd on a client that did not prove who it is. */
export interface Failure {
  readonly address: string
  readonly port: string
  /** False at the end of a connection: no password was refused, but a client may have been without one. */
  readonly isRefusal: boolean
}

// the name is the client's: what counts is the end of the line, which it cannot reach
const refused = /^Failed (?:password|keyboard-interactive\/pam) for .* from (\S+) port (\d+) ssh2$/s
const closed =
  /^(?:Connection (?:closed|reset) by|Disconnected from) (?:authenticating|invalid) user .* (\S+) port (\d+)(?: \[preauth\])?$/s

/** Parses what sshd logs of refused passwords, and of connections that end before a sign-in (auth.c, packet.c of OpenSSH). */
export function parseFailure(message: string): Failure | undefined {
  const [, address, port] = refused.exec(message) ?? closed.exec(message) ?? []
  if (address === undefined || port === undefined) return undefined
  return { address, port, isRefusal: message.startsWith('Failed ') }
}

/** Returns what tells whether a failure counts: the end of a connection does where no password was refused over it. */
export function openFailures(): (failure: Failure) => boolean {
  const known = new Set<string>()
  return ({ address, port, isRefusal }) => {
    const connection = `${address} ${port}`
    if (!isRefusal) return !known.delete(connection)
    known.delete(connection)
    known.add(connection)
    const [oldest] = known
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest)
    return true
  }
}

function messageIn(line: string): string | undefined {
  try {
    const { MESSAGE: message } = JSON.parse(line)
    return typeof message === 'string' ? message : undefined // it is a list of bytes if it is not UTF-8
  } catch {
    return undefined // it was cut
  }
}
