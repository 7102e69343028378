import { problem, type Problem } from '../../../core/problem.ts'

export const PlacedInPart = problem('placed_in_part', 500, 'Some entries could not be copied or moved')

const mostNamed = 10

/** Joins the messages of the first failures and counts the rest. */
export function inMessage(failures: readonly Problem[]): string {
  const named = failures.slice(0, mostNamed).map(({ message }) => message.replace(/^[a-z_0-9]+: /, ''))
  const more = failures.length > mostNamed ? [`and ${failures.length - mostNamed} more`] : []
  return [...named, ...more].join('; ')
}

/** Returns the problem of a job in which some transfers failed. */
export function failedFor(count: number, failures: readonly Problem[]): Problem {
  const [first] = failures
  if (count === 1 && first !== undefined) return first
  const done = count - failures.length
  const message = `${done} of ${count} done. Failed: ${inMessage(failures)}`
  return PlacedInPart(message, done > 0 ? { fields: { is_partial: true } } : {})
}
