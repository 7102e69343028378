import type { Contents } from '../../../host/contents.ts'
import { pruneLimit } from '../../../store/prune-limit.ts'
import type { HistoryLimits } from './limits.ts'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import type { VersionQueries, VersionRow } from './store.ts'

interface Parts {
  readonly queries: VersionQueries
  readonly contents: Contents
  readonly limits: HistoryLimits
}

/** Adds and deletes versions, one operation at a time per owner, so that no content is deleted while a version of it is added. */
export class VersionQuota {
  readonly #parts: Parts
  readonly #mutex = new KeyedMutex<number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Adds all rows that `make` returns, or none. The caller then calls `trim` to enforce the limits. */
  add(ownerId: number, make: () => Promise<readonly VersionRow[]>): Promise<readonly VersionRow[]> {
    return this.#mutex.run(ownerId, async () => {
      const rows = await make()
      await this.#parts.queries.insert(rows)
      return rows
    })
  }

  /** Deletes the oldest versions beyond the limits of number and size; `tidy` deletes those that are too old. */
  trim(ownerId: number): Promise<void> {
    return this.#mutex.run(ownerId, () => this.#dropBeyond(ownerId))
  }

  /** Deletes versions of one owner. */
  async forget(rows: readonly VersionRow[]): Promise<void> {
    const ownerId = rows[0]?.owner_id
    if (ownerId === undefined) return
    await this.#mutex.run(ownerId, async () => {
      await this.#parts.queries.remove(rows.map(({ id }) => id))
      await this.#release(
        ownerId,
        rows.flatMap(({ sha256 }) => sha256 ?? []),
      )
    })
  }

  /** Deletes the versions of a path and of everything below it, or all; returns their number and the freed bytes. */
  clear(
    ownerId: number,
    pathBytes: string | undefined,
  ): Promise<{ readonly versions: number; readonly freedBytes: number }> {
    const { queries } = this.#parts
    return this.#mutex.run(ownerId, async () => {
      const [before, contents] = [await queries.weight(ownerId), await queries.wanted(ownerId)]
      const versions = await queries.clear(ownerId, pathBytes)
      await this.#release(ownerId, contents)
      if (pathBytes === undefined) await this.#parts.contents.sweep(ownerId, new Set())
      return { versions, freedBytes: before.storedBytes - (await queries.weight(ownerId)).storedBytes }
    })
  }

  /** Returns the number of versions that `clear` would delete and the bytes it would free. */
  async clearable(
    ownerId: number,
    pathBytes: string | undefined,
  ): Promise<{ readonly versions: number; readonly freedBytes: number }> {
    const { queries } = this.#parts
    const all = await queries.weight(ownerId)
    const rest =
      pathBytes === undefined ? { versions: 0, storedBytes: 0 } : await queries.weight(ownerId, pathBytes)
    return { versions: all.versions - rest.versions, freedBytes: all.storedBytes - rest.storedBytes }
  }

  /** Deletes versions that are too old or have no owner, and contents that a killed panel left behind. */
  async tidy(now: Date | undefined): Promise<{ readonly removed: number }> {
    const { queries, contents } = this.#parts
    let removed = 0
    for (const ownerId of new Set([...(await queries.owners()), ...(await contents.owners())]))
      removed += await this.#mutex.run(ownerId, async () => {
        await this.#dropBeyond(ownerId, await this.#ageLimit(ownerId, now))
        return contents.sweep(ownerId, await queries.wanted(ownerId))
      })
    return { removed }
  }

  async #ageLimit(ownerId: number, now: Date | undefined): Promise<string | undefined> {
    const { queries, limits } = this.#parts
    const times = { oldest: await queries.oldest(ownerId), newest: now?.toISOString() }
    return pruneLimit(now, limits.maxAgeDays, times)
  }

  async #dropBeyond(ownerId: number, ageLimit?: string): Promise<void> {
    const { queries, limits } = this.#parts
    const { versions, storedBytes } = await queries.weight(ownerId)
    const isFull = versions > limits.maxVersions || storedBytes > limits.quotaBytes
    if (ageLimit === undefined && !isFull) return
    const contents = await queries.wanted(ownerId)
    if (ageLimit !== undefined) await queries.removeOlder(ownerId, ageLimit)
    const last = firstBeyond(await queries.sizes(ownerId), limits)
    if (last !== undefined) await queries.removeUpTo(ownerId, last.id)
    await this.#release(ownerId, contents)
  }

  /** Removes those contents that no version uses. */
  async #release(ownerId: number, sha256s: Iterable<string>): Promise<void> {
    const wanted = await this.#parts.queries.wanted(ownerId)
    await this.#parts.contents.remove(
      ownerId,
      [...sha256s].filter((sha256) => !wanted.has(sha256)),
    )
  }
}

type Sized = Pick<VersionRow, 'id' | 'sha256' | 'stored_bytes'>

/** Returns the newest version beyond the limits, counting from the newest and each content once. */
export function firstBeyond(
  newestFirst: readonly Sized[],
  { quotaBytes, maxVersions }: HistoryLimits,
): Sized | undefined {
  const counted = new Set<string>()
  let sum = 0
  return newestFirst.find(({ sha256, stored_bytes: bytes }, at) => {
    if (sha256 !== null && !counted.has(sha256)) {
      counted.add(sha256)
      sum += bytes
    }
    return at >= maxVersions || sum > quotaBytes
  })
}
