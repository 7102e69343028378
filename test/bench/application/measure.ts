import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Figure, median } from '../figures.ts'
import { startShipped } from '../shipped-panel.ts'
import { type Application, generateApplication } from './generate.ts'

const exec = promisify(execFile)
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
  const panel = await startShipped(folder, `${folder}/var`)
  try {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    const restMegabytes = panel.memory().residentMegabytes
    const openApiMs = await timed(async () => (await fetch(`${panel.url}/api/openapi.json`)).text())
    return { firstMs: panel.firstMs, restMegabytes, openApiMs }
  } finally {
    await panel.stop()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
