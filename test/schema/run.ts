import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { atOnce } from '../runner/at-once.ts'
import { printClosing, printTest } from '../runner/closing.ts'
import type { FinishedTest } from '../runner/reporter.ts'
import { checkout, type TestOutcome } from '../runner/test-process.ts'
import { ensureSchemathesis } from './environment.ts'
import type { CallerName } from './panel.ts'
import { readReport, type RunReport } from './report.ts'
import { selectedAreas } from '../../scripts/selection.ts'

// npm run test:schema [-- --seed=N] [WORD ...]: tests the API against its own document with schemathesis, in a sandbox without
// a network, in which only the folder of the run can be written. Only the runs whose names contain all words. In the gate, the
// stateless runs try the operations of the areas that the change selects.

interface Run {
  readonly name: string
  readonly caller: CallerName
  readonly phases: string
  /** The examples of an operation, or the sequences of a stateful run. */
  readonly examples: number
  /** The share of the coverage phase's cases that is tried; the seed draws them. */
  readonly share: number
  /** The operations that must have succeeded at least once: a run in which all is refused proves nothing. */
  readonly succeeding: number
  /** The areas whose operations are tried; all if undefined. */
  readonly areas?: readonly string[]
}

const stateless = {
  phases: 'coverage,fuzzing',
  examples: 2,
  share: process.env['HOSTREEVE_ALL'] ? 0.25 : 0.1,
}
const stateful = { phases: 'stateful', examples: 40, share: 1 }
const runs: readonly Run[] = [
  { name: 'stateless superuser', caller: 'superuser', ...stateless, succeeding: 60 },
  { name: 'stateless plain', caller: 'plain', ...stateless, succeeding: 20 },
  { name: 'stateful superuser', caller: 'superuser', ...stateful, succeeding: 10 },
  { name: 'stateful plain', caller: 'plain', ...stateful, succeeding: 5 },
]
const limitMs = 900_000
const shownCharacters = 3000

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0) return refuse('root is needed for homes of other users')
  const seed = Number(args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length) ?? 1)
  const filters = args.filter((arg) => !arg.startsWith('--'))
  const chosen = runs.filter(({ name }) => filters.every((filter) => name.split(' ').includes(filter)))
  if (chosen.length === 0 || !Number.isInteger(seed)) return refuse(`no run is named ${filters.join(' ')}`)
  const python = await ensureSchemathesis()
  // a run waits for the panel as long as the panel waits for it: two use both processors
  return printClosing(await atOnce(chosen.map(restrict), 2, (run) => carryOut(run, python, seed)))
}

/** Restricts a stateless run to what the change selects; a sequence crosses areas, so that stateful runs try all. */
function restrict(run: Run): Run {
  const areas = run.phases === stateful.phases ? undefined : selectedAreas()
  if (areas === undefined) return run
  process.stdout.write(`  ${run.name}: the operations of ${areas.join(', ')}\n`)
  return { ...run, areas, succeeding: 1 }
}

async function carryOut(run: Run, python: string, seed: number): Promise<TestOutcome> {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-schema-`)
  chmodSync(folder, 0o755) // hosting users reach their homes in it
  const startedAt = performance.now()
  try {
    await sandboxed(folder, run, [python, ...schemathesisArgs(folder, run, seed)])
    return outcomeOf(run, readReport(folder), performance.now() - startedAt)
  } catch (error) {
    return outcomeOf(run, undefined, performance.now() - startedAt, String(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function schemathesisArgs(folder: string, run: Run, seed: number): readonly string[] {
  const { phases, examples, areas = [] } = run
  return [
    ...areas.flatMap((area) => ['--include-tag', area]),
    ...['--phases', phases, '--max-examples', String(examples), '--seed', String(seed), '--no-color'],
    ...['--report', 'json,junit', '--report-json-path', `${folder}/report.json`],
    ...['--report-junit-path', `${folder}/junit.xml`],
  ]
}

/** Runs the panel and schemathesis in namespaces in which they can change nothing of this machine but `folder`. */
async function sandboxed(folder: string, run: Run, argv: readonly string[]): Promise<void> {
  const confinement = [
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...['--bind', folder, folder],
  ]
  const inside = `${import.meta.dirname}/inside.ts`
  const child = spawn(
    'bwrap',
    [...confinement, '--', process.execPath, inside, folder, run.caller, ...argv],
    {
      cwd: checkout,
      env: {
        ...process.env,
        TMPDIR: folder,
        PYTHONDONTWRITEBYTECODE: '1',
        HOSTREEVE_SHARE: String(run.share),
        HOSTREEVE_SEED: argv[argv.indexOf('--seed') + 1],
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    },
  )
  await once(child, 'exit')
}

function outcomeOf(run: Run, report: RunReport | undefined, ms: number, broken = ''): TestOutcome {
  const failed = report === undefined ? [failureOf(run, 'the run', broken)] : failuresOf(run, report)
  for (const test of failed) printTest(test, false)
  const tested = Math.max(report?.tested ?? 0, failed.length)
  const counts = { suites: 1, cancelled: 0, skipped: 0, todo: 0 }
  process.stdout.write(
    `  ${run.name}: ${tested} operations, ${report?.succeeded.length ?? 0} of them with success, ` +
      `${report?.cases ?? 0} requests, ${failed.length} failed, ${(ms / 1000).toFixed(1)} s\n`,
  )
  return {
    title: run.name,
    counts: { ...counts, tests: tested, passed: tested - failed.length, failed: failed.length },
    failed,
    skipped: [],
    seconds: ms / 1000,
  }
}

function failuresOf(run: Run, { failures, succeeded, bugs }: RunReport): readonly FinishedTest[] {
  const few =
    succeeded.length < run.succeeding
      ? [
          `only ${succeeded.length} operations succeeded, fewer than ${run.succeeding}: ${succeeded.join(', ')}`,
        ]
      : []
  return [
    ...failures.map(({ operation, text }) => failureOf(run, operation, text)),
    ...[...new Set(bugs)].map((bug) => failureOf(run, 'the log of the panel', bug)),
    ...few.map((reason) => failureOf(run, 'the run', reason)),
  ]
}

function failureOf({ name }: Run, title: string, reason: string): FinishedTest {
  return {
    kind: 'test',
    outcome: 'failed',
    place: 'test/schema/run.ts',
    title: `${name} › ${title}`,
    durationMs: 0,
    reason: reason.slice(0, shownCharacters),
  }
}

function refuse(reason: string): number {
  process.stderr.write(`test:schema: ${reason}\n`)
  return 2
}
