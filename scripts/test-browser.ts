import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { secondsOf } from '../test/budgets.ts'
import { printClosing } from '../test/runner/closing.ts'
import { readRepeats, runRepeatedly, shedAt } from '../test/runner/repeats.ts'
import { runSuites } from '../test/runner/suites.ts'
import { checkout } from '../test/runner/test-process.ts'
import { selectionOf, suitesOf } from './selection.ts'

// npm run test:browser [-- [--repeat=N] WORD ...]: builds the panel and drives it in Chromium, two suites at a time. It
// runs a copy of the build, as another build that starts meanwhile would remove the files of the open page.
const buildLimitMs = 300_000
const testTimeoutMs = 300_000

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const { repeats, filters } = readRepeats(args)
  const names = suitesOf('browser').filter(
    (name) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
  )
  if (names.length === 0) {
    process.stderr.write(`no suite in test/browser is named after ${filters.join(' or ')}\n`)
    return 2
  }
  const selected =
    filters.length > 0 ? new Map(names.map((name) => [name, 'named'])) : selectionOf('browser', names)
  const built = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: checkout,
    stdio: 'inherit',
    timeout: buildLimitMs,
  })
  return built.status === 0 ? drive(selected, repeats) : (built.status ?? 1)
}

async function drive(selected: ReadonlyMap<string, string>, repeats: number): Promise<number> {
  const copy = mkdtempSync(`${tmpdir()}/hostreeve-built-`)
  for (const name of ['dist', 'package.json'])
    cpSync(`${checkout}${name}`, `${copy}/${name}`, { recursive: true })
  try {
    const run = {
      folder: 'test/browser',
      names: [...selected.keys()],
      limit: 2,
      testTimeoutMs,
      secondsOf: (name: string) => secondsOf('browser', name),
      env: { HOSTREEVE_ENTRY: `${copy}/dist/hostreeve.mjs` },
      isSpare: (name: string) => selected.get(name) === 'rotation',
      shedAt: shedAt(),
    }
    return printClosing(await runRepeatedly(repeats, () => runSuites(run)))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
