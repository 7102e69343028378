import type { FinishedTest } from './reporter.ts'
import type { TestOutcome } from './test-process.ts'

/**
 * Splits the outcome of a process that ran several files into one outcome per file with failures, titled with the file, and the
 * rest. Failures that belong to no file keep the title of the process.
 */
export function byFile(outcome: TestOutcome, files: readonly string[]): readonly TestOutcome[] {
  const fileOf = ({ title }: FinishedTest) => files.find((file) => title.split(' › ')[0] === file)
  const perFile = files
    .map((file) => ({ file, failed: outcome.failed.filter((test) => fileOf(test) === file) }))
    .filter(({ failed }) => failed.length > 0)
  const rest = outcome.failed.filter((test) => fileOf(test) === undefined)
  const counted = outcome.failed.length - rest.length
  return [
    {
      ...outcome,
      failed: rest,
      counts: { ...outcome.counts, tests: outcome.counts.tests - counted, failed: rest.length, cancelled: 0 },
    },
    ...perFile.map(({ file, failed }) => ({
      ...none,
      title: file,
      failed,
      counts: countsOf(failed.length, 0),
    })),
  ]
}

/** The outcome of a second run, counted as the tests that failed in the first: those that passed there are counted already. */
export function countedOnce(first: TestOutcome, second: TestOutcome): TestOutcome {
  const isPassed = second.counts.failed + second.counts.cancelled === 0
  return { ...second, skipped: [], counts: isPassed ? countsOf(0, first.counts.tests) : first.counts }
}

const none = { skipped: [], seconds: 0 } as const

function countsOf(failed: number, passed: number): TestOutcome['counts'] {
  return { tests: failed + passed, suites: 0, passed, failed, cancelled: 0, skipped: 0, todo: 0 }
}
