import { noteUnreliable } from './closing.ts'
import type { FinishedTest } from './reporter.ts'
import type { TestOutcome } from './test-process.ts'

/** More red outcomes than this have a common cause that a second run would hide. */
const mostAgain = 5

/** True for a failed or cancelled test, and for a process that ended badly. */
export const isRed = ({ counts }: TestOutcome): boolean => counts.failed + counts.cancelled > 0

/**
 * Repeats the red outcomes, one after another, and returns the outcomes with the second in place of the first. What is red once is
 * noted as unreliable. Where more than five are red, none is repeated.
 */
export async function again(
  first: readonly TestOutcome[],
  repeat: (red: TestOutcome) => Promise<TestOutcome>,
  note: (text: string, failures: readonly FinishedTest[]) => void = noteUnreliable,
): Promise<readonly TestOutcome[]> {
  const red = first.filter(isRed)
  if (red.length === 0 || red.length > mostAgain) return first
  const second = new Map<TestOutcome, TestOutcome>()
  for (const outcome of red) {
    process.stdout.write(`\n  ${outcome.title} failed and runs again, alone\n`)
    const repeated = await repeat(outcome)
    second.set(outcome, repeated)
    note(describe(outcome, repeated), outcome.failed)
  }
  return first.map((outcome) => second.get(outcome) ?? outcome)
}

function describe(first: TestOutcome, repeated: TestOutcome): string {
  const titles = first.failed.map(({ title }) => title.split(' › ').at(-1)).join('; ')
  return `${first.title} (first: ${titles || 'failed'}, alone: ${isRed(repeated) ? 'failed' : 'passed'})`
}
