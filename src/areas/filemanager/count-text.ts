import { visible } from '../../host/owner/index.ts'

/** A number of things in words: `1 file`, `1,002 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

const mostNamed = 5

/** The first of many paths by name, and how many more there are. */
export function firstOf(paths: readonly string[], count: number): string {
  const further = count - Math.min(paths.length, mostNamed)
  return [
    ...paths.slice(0, mostNamed).map(visible),
    ...(further > 0 ? [`${further.toLocaleString('en')} more`] : []),
  ].join(', ')
}
