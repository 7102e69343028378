import type { Quarantined } from '../quarantine.ts'
import type { TestOutcome } from './test-process.ts'

/** The outcome with the failures that are in quarantine counted as skipped. */
export function setAside(outcome: TestOutcome, listed: readonly Quarantined[]): TestOutcome {
  const reasonOf = (title: string) => listed.find((test) => test.title === title)?.reason
  const aside = outcome.failed.filter(({ title }) => reasonOf(title) !== undefined)
  if (aside.length === 0) return outcome
  const { counts } = outcome
  // Node counts a test that was cancelled apart from those that failed; both are among the failures
  const failed = Math.max(0, counts.failed + counts.cancelled - aside.length)
  return {
    ...outcome,
    failed: outcome.failed.filter((test) => !aside.includes(test)),
    skipped: [
      ...outcome.skipped,
      ...aside.map((test) => ({ ...test, reason: `HOSTREEVE_QUARANTINE ${reasonOf(test.title)}` })),
    ],
    counts: { ...counts, failed, cancelled: 0, skipped: counts.skipped + aside.length },
  }
}
