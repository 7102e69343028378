import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { freePort } from '../support/free-ports.ts'

const answerLimitMs = 30_000

/** A panel that runs from its bundle, in a process of its own. */
export interface ShippedPanel {
  readonly url: string
  /** From the start of the process to its first answer. */
  readonly firstMs: number
  memory(): { readonly residentMegabytes: number; readonly peakMegabytes: number }
  stop(): Promise<void>
}

export const admin = { email: 'admin@bench.test', password: 'a password for measuring' }

/** Starts the bundle in `folder` with the environment that `npm start` and the unit set. */
export async function startShipped(folder: string, dataDir: string): Promise<ShippedPanel> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_ARENA_MAX: '1',
    HOSTREEVE_PORT: String(port),
    HOSTREEVE_DATA_DIR: dataDir,
    HOSTREEVE_LOG_LEVEL: 'warn',
    HOSTREEVE_ADMIN_EMAIL: admin.email,
    HOSTREEVE_ADMIN_PASSWORD: admin.password,
  }
  const startedAt = performance.now()
  const panel = spawn(process.execPath, [`${folder}/dist/hostreeve.mjs`, 'serve'], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(panel, 'exit')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    panel.kill('SIGTERM')
    await ended
  }
  try {
    await firstAnswer(panel, `${url}/api/version`, startedAt)
  } catch (error) {
    await stop()
    throw error
  }
  const firstMs = performance.now() - startedAt
  return { url, firstMs, memory: () => memoryOf(panel.pid as number), stop }
}

async function firstAnswer(panel: ChildProcess, url: string, startedAt: number): Promise<void> {
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    ) // nothing listens yet
    if (status === 200) return
    if (panel.exitCode !== null) throw new Error(`the panel ended with ${panel.exitCode}`)
    if (performance.now() - startedAt > answerLimitMs) throw new Error(`no answer within ${answerLimitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
  return { residentMegabytes: megabytes('VmRSS'), peakMegabytes: megabytes('VmHWM') }
}
