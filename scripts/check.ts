import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runTests } from './tests.ts'

// npm run check [-- --without-tests]: what a change must pass. Boundaries, policies and the freshness of what is generated are
// unit tests; all steps run even when an early one fails, so that one run shows everything. The type checks use one processor each, and
// run side by side.
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const folders = ['src', 'test', 'scripts']

type CheckStep = readonly [name: string, argv: readonly string[]]

const steps: readonly CheckStep[] = [
  ['format', [bin('oxfmt'), '--check', ...folders]],
  [
    'lint',
    [bin('oxlint'), '--deny-warnings', '--report-unused-disable-directives-severity=error', ...folders],
  ],
  ['unused code', [bin('knip'), '--no-progress']],
]
const typeChecks: readonly CheckStep[] = [
  ['types', [bin('tsc'), '-p', 'tsconfig.json']],
  ...(existsSync(`${root}tsconfig.web.json`)
    ? [['types of the web panel', [bin('tsc'), '-p', 'tsconfig.web.json']] as const]
    : []),
]
const limits = { cwd: root, timeout: 300_000 }

const failed: string[] = []
for (const one of steps) runStep(one)
await Promise.all(typeChecks.map(runBeside))
if (!process.argv.includes('--without-tests') && (await runTests([])) !== 0) failed.push('tests')
process.stdout.write(failed.length === 0 ? '\nEverything holds.\n' : `\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1

function runStep([name, [program, ...args]]: CheckStep): void {
  const startedAt = performance.now()
  report(name, startedAt, spawnSync(program as string, args, { ...limits, stdio: 'inherit' }).status)
}

/** Prints what the program wrote once it ended, so that two of them do not mix. */
async function runBeside([name, [program, ...args]]: CheckStep): Promise<void> {
  const startedAt = performance.now()
  const child = spawn(program as string, args, { ...limits, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  process.stdout.write(output)
  report(name, startedAt, status)
}

function report(name: string, startedAt: number, status: number | null): void {
  if (status !== 0) failed.push(name)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
}
