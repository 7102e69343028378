import { loadavg, availableParallelism } from 'node:os'
import { atOnce } from './at-once.ts'
import { printTest } from './closing.ts'
import type { FinishedTest } from './reporter.ts'
import { runTestProcess, type TestOutcome } from './test-process.ts'

/** Test files of one folder that run as processes of their own, several at a time. */
export interface SuiteRun {
  /** The folder below the checkout. */
  readonly folder: string
  /** Names of the files without `.test.ts`. */
  readonly names: readonly string[]
  readonly limit: number
  readonly testTimeoutMs: number
  /** The seconds that a suite may take; one that takes more than twice as long fails. */
  readonly secondsOf: (name: string) => number | undefined
  readonly env?: Readonly<Record<string, string>>
  /** True if other work slows this machine down; a slow suite does not fail then. */
  readonly isBusy?: () => boolean
}

/** The budget of a suite that has no line yet, so that a new suite can be measured. */
const unknownSeconds = 120
/** A suite that hangs is ended at this multiple of its line, so that it cannot hold up the others for the rest of the run. */
const patience = 4

/** Runs the suites, the longest first, and prints each test as it ends. */
export function runSuites(run: SuiteRun): Promise<readonly TestOutcome[]> {
  const seconds = (name: string) => run.secondsOf(name) ?? unknownSeconds
  const longestFirst = run.names.toSorted((a, b) => seconds(b) - seconds(a))
  return atOnce(longestFirst, run.limit, async (name) => {
    const plan = {
      title: name,
      files: [`${run.folder}/${name}.test.ts`],
      testTimeoutMs: run.testTimeoutMs,
      timeoutMs: Math.max(run.testTimeoutMs, seconds(name) * 1000 * patience),
      ...(run.env && { env: run.env }),
    }
    const outcome = await runTestProcess(plan, (test) => printTest(test, true))
    process.stdout.write(`  ${name} took ${outcome.seconds.toFixed(1)} s\n`)
    const late = overrun(name, outcome.seconds, run.secondsOf(name))
    if (late === undefined) return outcome
    if (!(run.isBusy ?? isBusy)()) return withFailure(outcome, late)
    process.stdout.write(`  ${late.reason}; not counted, as this machine is busy with other work\n`)
    return outcome
  })
}

/** The failure of a suite that took more than twice its line. */
function overrun(name: string, seconds: number, line: number | undefined): FinishedTest | undefined {
  if (line === undefined || seconds <= 2 * line) return undefined
  const reason = `${name} took ${seconds.toFixed(1)} s, more than twice the ${line} s of its line in test/budgets.ts`
  return {
    kind: 'test',
    outcome: 'failed',
    place: 'test/budgets.ts',
    title: name,
    durationMs: seconds * 1000,
    reason,
  }
}

/** Three suites at a time keep the load of a machine below this. */
function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > 5 * availableParallelism()
}

function withFailure(outcome: TestOutcome, failure: FinishedTest): TestOutcome {
  const { counts, failed } = outcome
  return { ...outcome, counts: { ...counts, failed: counts.failed + 1 }, failed: [...failed, failure] }
}
