import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { secondsOf } from '../test/budgets.ts'
import { printClosing } from '../test/runner/closing.ts'
import { runSuites } from '../test/runner/suites.ts'
import { checkout } from '../test/runner/test-process.ts'

// npm run test:browser [-- WORD ...]: builds the panel and drives it in Chromium, two suites at a time. It
// runs a copy of the build, as another build that starts meanwhile would remove the files of the open page.
const buildLimitMs = 180_000
const testTimeoutMs = 120_000

process.exitCode = await main(process.argv.slice(2))

async function main(filters: readonly string[]): Promise<number> {
  const names = globSync('test/browser/*.test.ts', { cwd: checkout })
    .map((file) => basename(file, '.test.ts'))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
  if (names.length === 0) {
    process.stderr.write(`no suite in test/browser is named after ${filters.join(' or ')}\n`)
    return 2
  }
  const built = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: checkout,
    stdio: 'inherit',
    timeout: buildLimitMs,
  })
  return built.status === 0 ? drive(names) : (built.status ?? 1)
}

async function drive(names: readonly string[]): Promise<number> {
  const copy = mkdtempSync(`${tmpdir()}/hostreeve-built-`)
  for (const name of ['dist', 'package.json'])
    cpSync(`${checkout}${name}`, `${copy}/${name}`, { recursive: true })
  try {
    const outcomes = await runSuites({
      folder: 'test/browser',
      names,
      limit: 2,
      testTimeoutMs,
      secondsOf: (name) => secondsOf('browser', name),
      env: { HOSTREEVE_ENTRY: `${copy}/dist/hostreeve.mjs` },
    })
    return printClosing(outcomes)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
