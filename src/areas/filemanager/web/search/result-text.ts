import type { AskedSearch } from './asked.ts'
import { type Finding, mostFound } from './finding.ts'

/** Returns a one-line summary of a search: the number of results, and a note if there are more. */
export function textOfFinding(
  { items, state, isCut }: Pick<Finding, 'items' | 'state' | 'isCut'>,
  where: AskedSearch['where'],
): string {
  const [one, many] = where === 'name' ? ['result', 'results'] : ['line', 'lines']
  const count = `${items.length.toLocaleString('en')} ${items.length === 1 ? one : many}`
  if (state === 'searching') return `Searching … ${count} so far`
  if (state === 'stopped') return `Stopped after ${count}; there may be more`
  if (state === 'failed') return `Failed after ${count}`
  return isCut
    ? `The first ${mostFound.toLocaleString('en')} ${many}; narrow the search to see the others`
    : count
}
