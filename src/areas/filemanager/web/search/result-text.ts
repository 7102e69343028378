import type { AskedSearch } from './asked.ts'
import { type Finding, mostFound } from './finding.ts'

/** How far a search is, in a line: whether it goes on, and whether there is more than is shown. */
export function textOfFinding(
  { items, state, isCut }: Pick<Finding, 'items' | 'state' | 'isCut'>,
  where: AskedSearch['where'],
): string {
  const [one, many] = where === 'name' ? ['entry', 'entries'] : ['line', 'lines']
  const count = `${items.length.toLocaleString('en')} ${items.length === 1 ? one : many}`
  if (state === 'searching') return `Searching … ${count} so far`
  if (state === 'stopped') return `Stopped: ${count} until then; there may be more`
  if (state === 'failed') return `${count} before it broke off`
  return isCut
    ? `The first ${mostFound.toLocaleString('en')} ${many}; there are more: narrow the search to see them`
    : `${count}, and no more`
}
