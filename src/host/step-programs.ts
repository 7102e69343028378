import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { stepVariable } from '../core/acting.ts'
import { followFiles, type OnLine } from './growing-file.ts'
import { isOutputFile } from './lasting.ts'

/** The programs that steps have started, found by the token in their environment: a pid could not be stored in time. */
export interface StepPrograms {
  /** Ends those of a step, by force after a second. */
  end(token: string): Promise<void>
  /**
   * Waits until those of a step have ended by themselves, no longer than the signal lasts. Passes on the lines
   * of their output from its beginning, with those that were passed on before the panel was killed.
   */
  await(token: string, signal: AbortSignal, onLine?: OnLine): Promise<void>
  isRunning(token: string): Promise<boolean>
}

const graceMs = 1000
const lookMs = 100
const maxOutputBytes = 1024 * 1024

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
    await: async (token, signal, onLine = () => {}) => {
      const files = await outputsOf(await programsOf(token))
      const readRest = followFiles(files, onLine, maxOutputBytes)
      try {
        while ((await programsOf(token)).length > 0) await sleep(lookMs, undefined, { signal })
      } finally {
        await readRest()
        for (const file of files) await file.close()
      }
    },
    isRunning: async (token) => (await programsOf(token)).length > 0,
  }
}

/** The files that lasting programs write to; they have no name, but their descriptors can be opened. */
async function outputsOf(pids: readonly number[]): Promise<readonly FileHandle[]> {
  const files = new Map<string, FileHandle>()
  for (const path of pids.flatMap((pid) => [`/proc/${pid}/fd/1`, `/proc/${pid}/fd/2`])) {
    const target = await readlink(path).catch(() => '') // the program has ended
    if (!isOutputFile(target) || files.has(target)) continue
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
    if (file === undefined) continue
    if ((await file.stat()).isFile()) files.set(target, file)
    else await file.close()
  }
  return [...files.values()]
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
