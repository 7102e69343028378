import { appendFileSync } from 'node:fs'
import type { Counts, FinishedTest } from './reporter.ts'
import { checkout, type TestOutcome } from './test-process.ts'

/** Prints the result of a test; tests that did not fail are printed only with `all`. */
export function printTest(test: FinishedTest, all: boolean): void {
  const mark = { passed: '✔', failed: '✖', skipped: '﹣' }[test.outcome]
  if (all || test.outcome === 'failed')
    process.stdout.write(`${mark} ${test.title} (${Math.round(test.durationMs)} ms)\n`)
}

/** Prints the failed and skipped tests and the counts at the end of a run; returns the exit code. */
export function printClosing(outcomes: readonly TestOutcome[], leftOut: readonly string[] = []): number {
  const failed = outcomes.flatMap((outcome) => outcome.failed)
  const skipped = outcomes.flatMap((outcome) => outcome.skipped)
  const counts = sumOf(outcomes.map((outcome) => outcome.counts))
  const lines = [
    ...sectionOf('Failed:', failed.map(renderFailure)),
    ...sectionOf(
      'Skipped:',
      skipped.map(({ title, reason }) => `  ﹣ ${title}: ${reason}`),
    ),
    ...sectionOf('Left out here:', leftOut),
    '',
    `ℹ tests ${counts.tests}`,
    `ℹ suites ${counts.suites}`,
    `ℹ pass ${counts.passed}`,
    `ℹ fail ${counts.failed}`,
    `ℹ cancelled ${counts.cancelled}`,
    `ℹ skipped ${counts.skipped}`,
    `ℹ todo ${counts.todo}`,
  ]
  const total = { passed: counts.passed, failed: counts.failed + counts.cancelled }
  process.stdout.write(`${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`)
  tellCaller(total, failed)
  return total.failed === 0 ? 0 : 1
}

/** `.ci/run` adds up the counts that its parts append to the one file, and prints the other last. */
function tellCaller(
  total: { readonly passed: number; readonly failed: number },
  failed: readonly FinishedTest[],
): void {
  const counts = process.env['HOSTREEVE_TEST_COUNTS']
  if (counts !== undefined) appendFileSync(counts, `${total.passed} ${total.failed}\n`)
  reportFailures(failed.map(renderFailure))
}

/** Appends to the file that `.ci/run` prints at its end, so that the reasons are beside the result. */
export function reportFailures(failures: readonly string[]): void {
  const path = process.env['HOSTREEVE_TEST_FAILURES']
  if (path !== undefined && failures.length > 0) appendFileSync(path, `${failures.join('\n')}\n`)
}

/** Prints why something failed in its first run only, and appends it to the file that `.ci/run` prints above its last line. */
export function noteUnreliable(text: string, failures: readonly FinishedTest[]): void {
  process.stdout.write(`${failures.map(renderFailure).join('\n')}\n  unreliable: ${text}\n`)
  const path = process.env['HOSTREEVE_TEST_UNRELIABLE']
  if (path !== undefined) appendFileSync(path, `${text}\n`)
}

function sectionOf(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

function renderFailure({ title, place, reason }: FinishedTest): string {
  const indented = reason.split('\n').map((line) => `      ${line}`)
  return [`  ✖ ${title}`, `    ${place.replace(checkout, '')}`, ...indented].join('\n')
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0)
  return {
    tests: sum('tests'),
    suites: sum('suites'),
    passed: sum('passed'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
    skipped: sum('skipped'),
    todo: sum('todo'),
  }
}
