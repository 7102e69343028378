import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { ensureBase, reasonAgainstHosts, sweepDeadRuns } from './harness/index.ts'

// npm run test:hosts [-- WORD ...]: runs the suites of this folder, or those whose names hold one of the words, one after another.
// npm run test:long [-- WORD ...]: the same with HOSTREEVE_LONG=1, for those that have a long form.
const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const testLimitMs = isLong ? 6 * 3_600_000 : 300_000
const here = import.meta.dirname

process.exitCode = await main(process.argv.slice(2))

async function main(filters: readonly string[]): Promise<number> {
  const reason = await reasonAgainstHosts()
  if (reason !== undefined) return refuse(reason)
  const suites = (await readdir(here))
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .filter((name) => !isLong || readFileSync(`${here}/${name}`, 'utf8').includes('HOSTREEVE_LONG'))
  if (suites.length === 0) return refuse(`no suite in test/hosts is named after ${filters.join(' or ')}`)
  await ensureBase()
  await sweepDeadRuns()
  const code = await runSuites(suites.sort())
  const left = await sweepDeadRuns()
  if (left > 0) console.error(`test hosts: removed what ${left} killed suites left behind`)
  return code
}

async function runSuites(suites: readonly string[]): Promise<number> {
  const options = ['--test', '--test-concurrency=1', `--test-timeout=${testLimitMs}`, '--test-reporter=spec']
  const suite = spawn(process.execPath, [...options, ...suites.map((name) => `${here}/${name}`)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => suite.kill(signal))
  const [code] = (await once(suite, 'exit')) as [number | null]
  return code ?? 1
}

function refuse(reason: string): number {
  console.error(`test hosts: ${reason}`)
  return 2
}
