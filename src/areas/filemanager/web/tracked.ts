/** A list that components read with `useSyncExternalStore`; each change makes a new array. */
export class Tracked<Row extends { readonly key: number }> {
  #rows: readonly Row[] = []
  #nextKey = 1
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly all = (): readonly Row[] => this.#rows

  readonly newKey = (): number => this.#nextKey++

  add(...rows: readonly Row[]): void {
    this.#put([...this.#rows, ...rows])
  }

  change(key: number, change: Partial<Row>): void {
    this.#put(this.#rows.map((each) => (each.key === key ? { ...each, ...change } : each)))
  }

  keep(isWanted: (row: Row) => boolean): void {
    this.#put(this.#rows.filter(isWanted))
  }

  #put(next: readonly Row[]): void {
    this.#rows = next
    for (const listener of this.#listeners) listener()
  }
}
