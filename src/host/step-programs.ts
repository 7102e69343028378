import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { stepVariable } from '../core/acting.ts'

/** The programs that steps have started, found by the token in their environment: a pid could not be stored in time. */
export interface StepPrograms {
  /** Ends those of a step, by force after a second. */
  end(token: string): Promise<void>
  /** Waits until those of a step have ended by themselves, no longer than the signal lasts. */
  await(token: string, signal: AbortSignal): Promise<void>
  isRunning(token: string): Promise<boolean>
}

const graceMs = 1000
const lookMs = 100

/** Opens the view on the processes of this host. */
export function openStepPrograms(): StepPrograms {
  return {
    end: async (token) => {
      for (const pid of await programsOf(token)) kill(pid, 'SIGTERM')
      for (const until = Date.now() + graceMs; Date.now() < until; await sleep(lookMs))
        if ((await programsOf(token)).length === 0) return
      for (const pid of await programsOf(token)) kill(pid, 'SIGKILL')
      while ((await programsOf(token)).length > 0) await sleep(lookMs) // a killed program ends as soon as the kernel lets it
    },
    await: async (token, signal) => {
      while ((await programsOf(token)).length > 0) await sleep(lookMs, undefined, { signal })
    },
    isRunning: async (token) => (await programsOf(token)).length > 0,
  }
}

/** The processes whose environment carries the token; a process that ends meanwhile is none. */
async function programsOf(token: string): Promise<readonly number[]> {
  const wanted = Buffer.from(`\0${stepVariable}=${token}\0`)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0))
      return Buffer.concat([Buffer.from('\0'), environment]).includes(wanted) ? [pid] : []
    }),
  )
  return found.flat().filter((pid) => pid !== process.pid)
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}
