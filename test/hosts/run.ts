import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { secondsOf } from '../budgets.ts'
import { printClosing } from '../runner/closing.ts'
import { runSuites } from '../runner/suites.ts'
import { buildPanel, ensureImages, reasonAgainstHosts, sweepDeadRuns } from './harness/index.ts'

// npm run test:hosts [-- WORD ...]: runs the suites of this folder, or those whose names contain one of the words, three at a time.
// npm run test:hosts -- --images: builds the images that hosts boot from, where they are missing, and runs nothing.
// npm run test:long [-- WORD ...]: the suites that have a long form, with HOSTREEVE_LONG=1, one after another.
const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const testTimeoutMs = isLong ? 6 * 3_600_000 : 300_000
const here = import.meta.dirname

process.exitCode = await main(process.argv.slice(2))

async function main(filters: readonly string[]): Promise<number> {
  const reason = await reasonAgainstHosts()
  if (reason !== undefined) return refuse(reason)
  const onlyImages = filters.includes('--images')
  const names = onlyImages ? [] : await suitesFor(filters)
  if (names.length === 0 && !onlyImages)
    return refuse(`no suite in test/hosts is named after ${filters.join(' or ')}`)
  await ensureImages()
  if (onlyImages) return 0
  await buildPanel() // each suite would build it otherwise, several at a time
  await sweepDeadRuns()
  const outcomes = await runSuites({
    folder: 'test/hosts',
    names,
    limit: isLong ? 1 : 3,
    testTimeoutMs,
    secondsOf: (name) => (isLong ? undefined : secondsOf('hosts', name)),
  })
  const left = await sweepDeadRuns()
  if (left > 0) console.error(`test hosts: removed what ${left} killed suites left behind`)
  return printClosing(outcomes)
}

async function suitesFor(filters: readonly string[]): Promise<readonly string[]> {
  return (await readdir(here))
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .filter((name) => !isLong || readFileSync(`${here}/${name}`, 'utf8').includes('HOSTREEVE_LONG'))
    .map((name) => name.slice(0, -'.test.ts'.length))
}

function refuse(reason: string): number {
  console.error(`test hosts: ${reason}`)
  return 2
}
