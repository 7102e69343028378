import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-ports.ts'

const built = fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const readyMs = 60_000

/** The first superuser of a panel under test. */
export const admin = { email: 'reeve@example.com', password: 'a long enough password' }

/** A panel in its own process, with its own port and data directory. */
export interface RunningPanel {
  readonly baseUrl: string
  stop(): Promise<void>
}

/** Starts the built panel, with further settings, and waits until it is ready. */
export async function startPanel(
  entry = built,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningPanel> {
  const dataDir = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
  const port = await freePort()
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: {
      ...process.env,
      HOSTREEVE_PORT: String(port),
      HOSTREEVE_DATA_DIR: dataDir,
      HOSTREEVE_ADMIN_EMAIL: admin.email,
      HOSTREEVE_ADMIN_PASSWORD: admin.password,
      HOSTREEVE_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const baseUrl = `http://localhost:${port}`
  await untilReady(child.stdout, exited)
  return {
    baseUrl,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilReady(output: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<void> {
  const limit = AbortSignal.timeout(readyMs)
  const said = (async () => {
    let text = ''
    for await (const chunk of output) {
      text += String(chunk)
      if (text.includes('is ready at')) return
    }
    throw new Error(`The panel ended before it was ready: ${text}`)
  })()
  await Promise.race([
    said,
    exited.then(() => Promise.reject(new Error('The panel ended before it was ready'))),
    once(limit, 'abort').then(() => Promise.reject(limit.reason)),
  ])
  output.resume()
}
