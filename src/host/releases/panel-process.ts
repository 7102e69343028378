import { spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { poll } from '../../core/poll.ts'
import type { Run } from '../run.ts'

/** How a running panel was started: enough to start it again when it has ended. */
export interface PanelProcess {
  readonly pid: number
  /** The unit of systemd of which it is the main process. */
  readonly unit: string | undefined
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Descriptors of its stdout and stderr, opened again; undefined where they cannot be. */
  readonly outputs: readonly [number | undefined, number | undefined]
}

const endMs = 10_000
const unitMs = 60_000

/** Reads how a process was started; undefined if there is none. */
export function readPanelProcess(pid: number): PanelProcess | undefined {
  try {
    const environment = Object.fromEntries(
      nulSeparated(`/proc/${pid}/environ`).map((line) => {
        const at = line.indexOf('=')
        return [line.slice(0, at), line.slice(at + 1)]
      }),
    )
    const [, , ...args] = nulSeparated(`/proc/${pid}/cmdline`)
    const unit = /\/([^/]+\.service)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1]
    const isMain = environment['SYSTEMD_EXEC_PID'] === String(pid)
    return {
      pid,
      unit: isMain ? unit : undefined,
      args,
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      environment,
      outputs: [opened(`/proc/${pid}/fd/1`), opened(`/proc/${pid}/fd/2`)],
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return undefined
    throw error
  }
}

/** The process that holds the lock of a data directory. */
export function findPanel(dataDir: string): number | undefined {
  const lock = `${realpathSync(dataDir)}/panel.lock`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => pid !== process.pid && descriptorsOf(pid).includes(lock))
}

/** True if the panel has ended and nothing starts it again. */
export async function hasFailed({ pid, unit }: PanelProcess, run: Run): Promise<boolean> {
  if (unit === undefined) return !isAlive(pid)
  return (await run(['systemctl', 'is-failed', '--quiet', '--', unit])).code === 0
}

/** Ends the panel, through its unit where it has one. */
export async function stopPanel(panel: PanelProcess, run: Run): Promise<void> {
  if (panel.unit === undefined) return end(panel.pid)
  const { code, stderr } = await run(['systemctl', 'stop', '--', panel.unit], { timeoutMs: unitMs })
  if (code !== 0) throw new Error(`${panel.unit} could not be stopped: ${stderr.trim()}`)
}

/** Starts the current version as a panel that has ended was started. */
export async function startPanel(panel: PanelProcess, folder: string, run: Run): Promise<void> {
  if (panel.unit !== undefined) {
    await run(['systemctl', 'reset-failed', '--', panel.unit])
    const { code, stderr } = await run(['systemctl', 'start', '--', panel.unit], { timeoutMs: unitMs })
    if (code !== 0) throw new Error(`${panel.unit} could not be started: ${stderr.trim()}`)
    return
  }
  const [stdout, stderr] = panel.outputs
  const argv = [`${folder}/current/dist/hostreeve.mjs`, ...panel.args]
  const child = spawn(`${folder}/current/bin/node`, argv, {
    cwd: panel.cwd,
    env: panel.environment,
    stdio: ['ignore', stdout ?? 'ignore', stderr ?? 'ignore'],
    detached: true,
  })
  child.unref()
}

async function end(pid: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    await poll(async () => (isAlive(pid) ? undefined : true), { limitMs: endMs, everyMs: 50 })
  }
}

/** A zombie has ended. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const nulSeparated = (path: string): readonly string[] =>
  readFileSync(path, 'utf8').split('\0').filter(Boolean)

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'a')
  } catch {
    return undefined // a socket, such as that of the journal, cannot be opened again
  }
}

function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
  } catch {
    return [] // it ended meanwhile, or belongs to another user
  }
}
