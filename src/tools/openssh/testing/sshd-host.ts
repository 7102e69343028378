import type { Script } from '../../../host/testing/scripted-run.ts'

export interface OpenSession {
  /** The process of sshd that supervises it; its two children have the next pids. */
  readonly pid: number
  readonly username: string
  /** Null for a password; undefined if the journal does not have the sign-in. */
  readonly fingerprint: string | null | undefined
}

/** A host with sessions of sshd, as ps and journalctl report them; `kill` ends processes. */
export function sshdHost(sessions: readonly OpenSession[]): {
  script: Script
  pids: () => readonly number[]
} {
  const alive = new Map<number, string>([[1, '1 0 0 /sbin/init']])
  for (const { pid, username } of sessions) {
    alive.set(pid, `${pid} 1 0 sshd: ${username} [priv]`)
    alive.set(pid + 1, `${pid + 1} ${pid} 1001 sshd: ${username}@pts/0`)
    alive.set(pid + 2, `${pid + 2} ${pid + 1} 1001 -bash`)
  }
  const script: Script = (argv) => {
    const [program] = argv
    if (program === 'ps') return { stdout: `${[...alive.values()].join('\n')}\n` }
    if (program === 'journalctl') return { stdout: sessions.flatMap(entryOf).join('\n') }
    if (program !== 'kill') return undefined
    for (const pid of argv.slice(argv.indexOf('--') + 1)) alive.delete(Number(pid))
    return {}
  }
  return { script, pids: () => [...alive.keys()].toSorted((a, b) => a - b) }
}

function entryOf({ pid, username, fingerprint }: OpenSession): readonly string[] {
  if (fingerprint === undefined) return []
  const how = fingerprint === null ? 'password' : 'publickey'
  const key = fingerprint === null ? '' : `: ED25519 ${fingerprint}`
  const message = `Accepted ${how} for ${username} from 192.0.2.1 port 4711 ssh2${key}`
  return [JSON.stringify({ MESSAGE: message, _PID: String(pid), __REALTIME_TIMESTAMP: '1700000000000000' })]
}
