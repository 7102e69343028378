import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// npm run test:browser: builds the panel and drives it in Chromium.
const root = fileURLToPath(new URL('..', import.meta.url))
const limitMs = 540_000

const build = run(['scripts/build.ts'])
process.exitCode =
  build === 0 ? run(['--test', '--test-concurrency=1', '--test-reporter=spec', ...globSync('test/browser/**/*.test.ts', { cwd: root })]) : build

function run(args: readonly string[]): number {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', timeout: limitMs })
  return status ?? 1
}
