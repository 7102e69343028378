import { uptime } from 'node:os'
import type { Run } from '../../host/run.ts'

/** A sign-in that sshd has recorded. */
export interface SignIn {
  readonly at: string
  readonly method: string
  /** `SHA256:…` of the key; null without one. */
  readonly fingerprint: string | null
  readonly address: string
}

/** The names under which sshd logs; sessions have a program of their own since OpenSSH 9.8. */
const identifiers = ['sshd', 'sshd-session'] as const

/** The query of the journal for what any account logs as sshd. */
export const journalOfAnyone = [
  'journalctl',
  '--quiet',
  '--no-pager',
  '--output=json',
  '--output-fields=MESSAGE,_PID,_UID',
  '--reverse',
  ...identifiers.map((identifier) => `SYSLOG_IDENTIFIER=${identifier}`),
] as const
/** The same for what sshd logs as root: any account can write to the journal. */
export const journalOfSshd = [...journalOfAnyone, '_UID=0'] as const

const maxBytes = 1024 * 1024
const mostSignIns = 500
const days = 90

/**
 * Lists the sign-ins of an account, the latest first, as the journal has them of the last 90 days; at most 500. Empty
 * where the host keeps no journal. A journal that is too long to search in three seconds is read as far as that.
 */
export async function readSignIns(run: Run, username: string): Promise<readonly SignIn[]> {
  const grep = `--grep=^Accepted \\S+ for ${username} from `
  const options = { timeoutMs: 3000, maxBytes }
  const { stdout } = await run(
    [...journalOfSshd, grep, `--lines=${mostSignIns}`, `--since=-${days}d`],
    options,
  )
  return entriesIn(stdout).flatMap(({ message, at }) => {
    const found = accepted.exec(message)
    const [, method = '', name, address = '', fingerprint = null] = found ?? []
    return name === username ? [{ at, method, fingerprint, address }] : []
  })
}

/** Returns the key that each of these processes of sshd has accepted; a process that is not in the journal is left out. */
export async function readKeysOf(
  run: Run,
  pids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  if (pids.length === 0) return new Map()
  const matches = pids.map((pid) => `_PID=${pid}`)
  const since = `--since=-${Math.ceil(uptime())}s` // not `--boot`: /proc may have another boot id than journald saw
  const argv = [...journalOfSshd, since, '--grep=^Accepted ', `--lines=${mostSignIns}`, ...matches] as const
  const { stdout } = await run([...argv], { timeoutMs: 3000, maxBytes })
  const keys = new Map<number, string | null>()
  for (const { pid, message } of entriesIn(stdout)) {
    const found = accepted.exec(message)
    if (found && !keys.has(pid)) keys.set(pid, found[4] ?? null) // the latest is first: pids are used again
  }
  return keys
}

/** `Accepted publickey for ada from 192.0.2.1 port 4711 ssh2: ED25519 SHA256:…` (auth_log in OpenSSH's auth.c). */
const accepted = /^Accepted (\S+) for (\S+) from (\S+) port \d+ \S+?(?:: \S+ (SHA256:[A-Za-z0-9+/]{43}).*)?$/s

/** Takes the lines apart that journalctl prints. */
export function entriesIn(
  stdout: string,
): readonly { pid: number; uid: number; message: string; at: string }[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.endsWith('}')) return [] // blank, or cut off
    const { MESSAGE: message, _PID: pid, _UID: uid, __REALTIME_TIMESTAMP: micros } = JSON.parse(line)
    const at = () => new Date(Number(micros) / 1000).toISOString()
    return typeof message === 'string' ? [{ pid: Number(pid), uid: Number(uid), message, at: at() }] : [] // not UTF-8
  })
}
