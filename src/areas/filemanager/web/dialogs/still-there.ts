import { type Item, stands, type Whose } from '../queries.ts'

const looksAtOnce = 6

/** Returns the entries that still exist at their paths; one that cannot be read counts as existing. */
export async function stillThere(
  whose: Whose,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const there: Item[] = []
  for (let first = 0; first < items.length && !signal.aborted; first += looksAtOnce) {
    const some = items.slice(first, first + looksAtOnce)
    const found = await Promise.all(
      some.map(({ path }) =>
        stands(whose, path).then(
          (stat) => stat !== undefined,
          () => true, // the deletion itself reports the error
        ),
      ),
    )
    there.push(...some.filter((_, index) => found[index]))
  }
  return there
}
