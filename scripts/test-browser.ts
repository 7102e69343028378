import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

// npm run test:browser: builds the panel and drives it in Chromium. What runs is a copy of what was built, as a build that
// somebody starts meanwhile would take the files away under the open page.
const root = fileURLToPath(new URL('..', import.meta.url))
const limitMs = 540_000

const build = run(['scripts/build.ts'])
process.exitCode = build === 0 ? driveCopy() : build

function driveCopy(): number {
  const copy = mkdtempSync(`${tmpdir()}/hostreeve-built-`)
  for (const name of ['dist', 'package.json'])
    cpSync(`${root}${name}`, `${copy}/${name}`, { recursive: true })
  try {
    const suites = globSync('test/browser/**/*.test.ts', { cwd: root })
    return run(['--test', '--test-concurrency=1', '--test-reporter=spec', ...suites], {
      HOSTREEVE_ENTRY: `${copy}/dist/hostreeve.mjs`,
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): number {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: limitMs,
    env: { ...process.env, ...environment },
  })
  return status ?? 1
}
