import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { type Figure, median } from '../figures.ts'
import { type Application, generateApplication } from './generate.ts'

const exec = promisify(execFile)
const answerLimitMs = 30_000
const restMs = 3000

/** Start, memory, type check and OpenAPI of a generated application of 600 endpoints and 40,000 lines. */
export async function measureApplication(isShort: boolean): Promise<readonly Figure[]> {
  const application = generateApplication(600, 40_000)
  const { folder } = application
  try {
    const checks: number[] = []
    for (let round = 0; round < (isShort ? 1 : 3); round++)
      checks.push(
        await timed(() =>
          exec(`${folder}/node_modules/.bin/tsc`, ['-p', 'tsconfig.json'], { cwd: folder, timeout: 120_000 }),
        ),
      )
    await exec(process.execPath, ['scripts/build.ts', 'server'], { cwd: folder, timeout: 120_000 })
    await start(application) // migrates the store and fills the compile cache
    const starts: Start[] = []
    for (let round = 0; round < (isShort ? 3 : 5); round++) starts.push(await start(application))
    const detail = `${application.endpoints} endpoints, ${application.lines} generated lines`
    return [
      {
        what: 'large application: first answer',
        value: median(starts.map(({ firstMs }) => firstMs)) / 1000,
        unit: 's',
        bound: 1,
        detail,
      },
      {
        what: 'large application: memory at rest',
        value: median(starts.map(({ restMegabytes }) => restMegabytes)),
        unit: 'MB',
        bound: 160,
        loose: 220,
      },
      {
        what: 'large application: OpenAPI document',
        value: median(starts.map(({ openApiMs }) => openApiMs)) / 1000,
        unit: 's',
        bound: 0.5,
      },
      { what: 'large application: type check', value: median(checks) / 1000, unit: 's', bound: 6, loose: 20 },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Start {
  readonly firstMs: number
  readonly restMegabytes: number
  readonly openApiMs: number
}

/** Starts the bundle as shipped, and measures until its first answer, then at rest, then its first OpenAPI document. */
async function start({ folder }: Application): Promise<Start> {
  const port = await freePort()
  const environment = {
    PATH: process.env['PATH'],
    HOSTREEVE_PORT: String(port),
    HOSTREEVE_DATA_DIR: `${folder}/var`,
    HOSTREEVE_LOG_LEVEL: 'warn',
    HOSTREEVE_ADMIN_PASSWORD: 'a password for measuring',
  }
  const startedAt = performance.now()
  const panel = spawn(process.execPath, [`${folder}/dist/hostreeve.mjs`, 'serve'], {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await firstAnswer(panel, `${url}/api/version`, startedAt)
    const firstMs = performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, restMs))
    const restMegabytes = residentMegabytes(panel.pid as number)
    const openApiMs = await timed(async () => (await fetch(`${url}/api/openapi.json`)).text())
    return { firstMs, restMegabytes, openApiMs }
  } finally {
    const ended = once(panel, 'exit')
    panel.kill('SIGTERM')
    await ended
  }
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

function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
