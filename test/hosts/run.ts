import { readFileSync } from 'node:fs'
import { selectionOf, suitesOf } from '../../scripts/selection.ts'
import { secondsOf } from '../budgets.ts'
import { printClosing } from '../runner/closing.ts'
import { readRepeats, runRepeatedly, shedAt } from '../runner/repeats.ts'
import { runSuites } from '../runner/suites.ts'
import { ensureDownloads } from './downloads.ts'
import { buildPanel, ensureImages, reasonAgainstHosts, sweepDeadRuns } from './harness/index.ts'

// npm run test:hosts [-- WORD ...]: runs the suites of this folder, or those whose names contain one of the words, three at a time.
// npm run test:hosts -- --repeat=10 [WORD ...]: runs them ten times and counts how often each failed.
// npm run test:hosts -- --images: builds the images that hosts boot from and fetches what suites need, where it is missing, and runs nothing.
// npm run test:long [-- WORD ...]: the suites that have a long form, with HOSTREEVE_LONG=1, one after another.
const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const testTimeoutMs = isLong ? 6 * 3_600_000 : 300_000
const here = import.meta.dirname

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const reason = await reasonAgainstHosts()
  if (reason !== undefined) return refuse(reason)
  const { repeats, filters } = readRepeats(args)
  const onlyImages = filters.includes('--images')
  const selected = onlyImages ? new Map<string, string>() : suitesFor(filters)
  if (selected.size === 0 && !onlyImages)
    return refuse(`no suite in test/hosts is named after ${filters.join(' or ')}`)
  await ensureImages()
  await ensureDownloads()
  if (onlyImages) return 0
  await buildPanel() // each suite would build it otherwise, several at a time
  await sweepDeadRuns()
  const outcomes = await runRepeatedly(repeats, () =>
    runSuites({
      folder: 'test/hosts',
      names: [...selected.keys()],
      limit: isLong ? 1 : 3,
      testTimeoutMs,
      secondsOf: (name) => (isLong ? undefined : secondsOf('hosts', name)),
      sweep: sweepDeadRuns,
      isSpare: (name) => selected.get(name) === 'rotation',
      shedAt: shedAt(),
    }),
  )
  const left = await sweepDeadRuns()
  if (left > 0) console.error(`test hosts: removed what ${left} killed suites left behind`)
  return printClosing(outcomes)
}

function suitesFor(filters: readonly string[]): ReadonlyMap<string, string> {
  const names = suitesOf('hosts')
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .filter((name) => !isLong || readFileSync(`${here}/${name}.test.ts`, 'utf8').includes('HOSTREEVE_LONG'))
  return filters.length > 0 || isLong
    ? new Map(names.map((name) => [name, 'named']))
    : selectionOf('hosts', names)
}

function refuse(reason: string): number {
  console.error(`test hosts: ${reason}`)
  return 2
}
