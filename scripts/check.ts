import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runTests } from './tests.ts'

// npm run check [-- --without-tests]: what a change must pass. Boundaries, policies and the freshness of what is generated are
// unit tests; all steps run even when an early one fails, so that one run shows everything.
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const folders = ['src', 'test', 'scripts']

const steps: readonly (readonly [string, readonly string[]])[] = [
  ['format', [bin('oxfmt'), '--check', ...folders]],
  [
    'lint',
    [bin('oxlint'), '--deny-warnings', '--report-unused-disable-directives-severity=error', ...folders],
  ],
  ['unused code', [bin('knip'), '--no-progress']],
  ['types', [bin('tsc'), '-p', 'tsconfig.json']],
  ...(existsSync(`${root}tsconfig.web.json`)
    ? [['types of the web panel', [bin('tsc'), '-p', 'tsconfig.web.json']] as const]
    : []),
]

const failed: string[] = []
for (const [name, argv] of steps) if (!runStep(name, argv)) failed.push(name)
if (!process.argv.includes('--without-tests') && (await runTests([])) !== 0) failed.push('tests')
process.stdout.write(failed.length === 0 ? '\nEverything holds.\n' : `\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1

function runStep(name: string, [program, ...args]: readonly string[]): boolean {
  const startedAt = performance.now()
  const { status } = spawnSync(program as string, args, { cwd: root, stdio: 'inherit', timeout: 300_000 })
  process.stdout.write(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`,
  )
  return status === 0
}
