import { readdir, readFile } from 'node:fs/promises'
import { absentAsEmpty } from '../proc.ts'

const attempts = 10
const intervalMs = 50

/**
 * Kills the processes of a session, its leader last: `su` closes the session of the account when its shell has
 * ended. A process that started a session of its own, as a service does, is not among them.
 */
export async function killSession(leader: number): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const members = await membersOf(leader)
    if (members.length === 0) return
    const others = members.filter((pid) => pid !== leader)
    for (const pid of attempt === attempts ? members : others) signal(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

/**
 * Sends SIGHUP to the processes of a session but its leader: `su` blocks the one that the kernel sends when a terminal
 * is closed, so that its shell and the jobs would not get it.
 */
export async function hangUpSession(leader: number): Promise<void> {
  for (const pid of await membersOf(leader)) if (pid !== leader) signal(pid, 'SIGHUP')
}

async function membersOf(leader: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const sessions = await Promise.all(pids.map(sessionOf))
  return pids.filter((_pid, index) => sessions[index] === leader)
}

/** The sixth field of proc_pid_stat(5); the name of the process in brackets may contain anything. A zombie is in none. */
async function sessionOf(pid: number): Promise<number | undefined> {
  const status = await absentAsEmpty(readFile(`/proc/${pid}/stat`, 'utf8'))
  const [state, , , session] = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return status === '' || state === 'Z' ? undefined : Number(session)
}

function signal(pid: number, name: 'SIGHUP' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}
