import { again } from './again.ts'
import { atOnce } from './at-once.ts'
import { printTest } from './closing.ts'
import { isGate } from './is-gate.ts'
import { runTestProcess, type TestOutcome } from './test-process.ts'

/** Test files of one folder that run as processes of their own, several at a time. */
export interface SuiteRun {
  /** The folder below the checkout. */
  readonly folder: string
  /** Names of the files without `.test.ts`. */
  readonly names: readonly string[]
  readonly limit: number
  readonly testTimeoutMs: number
  /** The seconds that a suite takes; one that takes more than twice as long is reported. */
  readonly secondsOf: (name: string) => number | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Removes what killed suites left behind, before a suite runs again. */
  readonly sweep?: () => Promise<unknown>
  /** True for a suite that may be left out once time runs short; these run last. */
  readonly isSpare?: (name: string) => boolean
  /** Milliseconds since the epoch from which on no spare suite is started. */
  readonly shedAt?: number
}

/** The seconds of a suite that has no line yet, so that a new suite can be measured. */
const unknownSeconds = 120
/** A suite is ended only when it hangs, so that it cannot hold up the others for the rest of the run. */
const suiteLimitMs = 600_000

/** Runs the suites, the longest first, and prints each test as it ends. In the gate, those that fail run again, alone. */
export async function runSuites(run: SuiteRun): Promise<readonly TestOutcome[]> {
  const seconds = (name: string) => run.secondsOf(name) ?? unknownSeconds
  const isSpare = (name: string) => run.isSpare?.(name) ?? false
  const inOrder = run.names.toSorted(
    (a, b) => Number(isSpare(a)) - Number(isSpare(b)) || seconds(b) - seconds(a),
  )
  const outcomes = await atOnce(inOrder, run.limit, async (name) =>
    isSpare(name) && Date.now() > (run.shedAt ?? Infinity) ? leaveOut(name) : [await runSuite(run, name)],
  )
  if (!isGate()) return outcomes.flat()
  return again(outcomes.flat(), async ({ title }) => {
    await run.sweep?.()
    return runSuite(run, title)
  })
}

async function runSuite(run: SuiteRun, name: string): Promise<TestOutcome> {
  const plan = {
    title: name,
    files: [`${run.folder}/${name}.test.ts`],
    testTimeoutMs: run.testTimeoutMs,
    timeoutMs: Math.max(run.testTimeoutMs, suiteLimitMs),
    ...(run.env && { env: run.env }),
  }
  const outcome = await runTestProcess(plan, (test) => printTest(test, true))
  const line = run.secondsOf(name)
  const slow =
    line !== undefined && outcome.seconds > 2 * line ? `, slow: its line in test/budgets.ts is ${line} s` : ''
  process.stdout.write(`  ${name} took ${outcome.seconds.toFixed(1)} s${slow}\n`)
  return outcome
}

function leaveOut(name: string): readonly [] {
  process.stdout.write(`  ${name} left out for time: only the rotation had selected it\n`)
  return []
}
