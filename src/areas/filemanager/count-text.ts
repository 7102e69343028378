import { visible } from '../../host/owner/index.ts'

/** Formats a count with its noun: `1 file`, `1,002 files`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}

const mostNamed = 5

/** Lists the first of many paths and the number of the rest. */
export function firstOf(paths: readonly string[], count: number): string {
  const further = count - Math.min(paths.length, mostNamed)
  return [
    ...paths.slice(0, mostNamed).map(visible),
    ...(further > 0 ? [`${further.toLocaleString('en')} more`] : []),
  ].join(', ')
}
