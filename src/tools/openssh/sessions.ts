import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Run } from '../../host/run.ts'
import { SessionsFailed } from './problems.ts'
import { readKeysOf } from './sign-ins.ts'

const limits = { timeoutMs: 5000, maxBytes: 4 * 1024 * 1024 }

interface Process {
  readonly pid: number
  readonly parent: number
  readonly uid: number
  readonly title: string
}

/** Which sessions of an account: all, or those that a key has opened. */
export interface Sessions {
  readonly username: string
  readonly fingerprint?: string
}

/** Counts the SSH and SFTP sessions that are open. */
export async function countSessions(run: Run, sessions: Sessions): Promise<number> {
  return (await serversOf(run, await processes(run), sessions)).length
}

/** Ends SSH and SFTP sessions with every program that runs in them. */
export async function endSessions(run: Run, sessions: Sessions): Promise<void> {
  const ended = await poll(
    async () => {
      const all = await processes(run)
      const servers = await serversOf(run, all, sessions)
      if (servers.length === 0) return true
      const pids = withDescendants(all, servers).map(String)
      await run(['kill', '-s', 'KILL', '--', ...pids], limits) // fails for those that have ended meanwhile
      return undefined
    },
    { limitMs: 5000, everyMs: 20 },
  )
  if (!ended) throw SessionsFailed(`${sessions.username}: some SSH sessions are still open`)
}

/**
 * The processes of sshd that supervise a session. Only root can have a process with this uid and title; one that is still
 * checking a key has it too. A session whose key the journal does not tell counts as one of any key.
 */
async function serversOf(
  run: Run,
  all: readonly Process[],
  { username, fingerprint }: Sessions,
): Promise<readonly number[]> {
  const titles = new Set(['sshd', 'sshd-session'].map((program) => `${program}: ${username} [priv]`))
  const servers = all.flatMap(({ pid, uid, title }) => (uid === 0 && titles.has(title) ? [pid] : []))
  if (fingerprint === undefined) return servers
  const keys = await readKeysOf(run, servers)
  return servers.filter((pid) => !keys.has(pid) || keys.get(pid) === fingerprint)
}

function withDescendants(all: readonly Process[], roots: readonly number[]): readonly number[] {
  const found = new Set(roots)
  for (let size = 0; size < found.size;) {
    size = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

async function processes(run: Run): Promise<readonly Process[]> {
  const { code, stdout, stderr } = await run(['ps', '-eww', '-o', 'pid=,ppid=,uid=,args='], limits)
  if (code === 127) throw Unavailable('ps is not installed')
  if (code !== 0) throw SessionsFailed(`ps: ${stderr.trim().slice(0, 500)}`)
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, uid, title] = /^ *(\d+) +(\d+) +(\d+) (.*)$/.exec(line) ?? []
    return title === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), uid: Number(uid), title: title.trim() }]
  })
}
