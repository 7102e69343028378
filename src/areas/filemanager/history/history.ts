import { NotFound } from '../../../core/problem.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import { type HistoryParts, type Kept, keepVersions, type Replacing, type ReplacingMany } from './keep.ts'
import type { HistoryLimits } from './limits.ts'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { VersionQuota } from './version-quota.ts'
import { pathKeyOf, withText } from './path-key.ts'
import { firstWithin } from './existing-file.ts'
import type { HeadRow, VersionRow } from './store.ts'

/** The result of work on a file, with its new etag if known. */
export type Replaced = { readonly etag?: string } | void

/** Files that are locked and kept while they are replaced together. */
export interface Held {
  /** Size of the contents that were kept. */
  readonly keptBytes: number
  /** Number of files left out because their contents exceed `maxBytes`. */
  readonly notKept: number
  /** Records who wrote the new contents. */
  replaced(): Promise<void>
  /** Deletes the versions of files that were not replaced after all. */
  failed(): Promise<void>
  free(): void
}

type AllKept = ReadonlyMap<TextPath, Kept>

/** Keeps versions of files that are changed through the panel (docs/decisions/0008). */
export class History {
  readonly #parts: HistoryParts
  readonly versionQuota: VersionQuota
  readonly #places = new KeyedMutex<string>()

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.versionQuota = new VersionQuota(parts)
  }

  get limits(): HistoryLimits {
    return this.#parts.limits
  }

  /** Keeps a version of the existing file, then runs `work`, which replaces it. */
  replacing<Result extends Replaced>(replacing: Replacing, work: () => Promise<Result>): Promise<Result> {
    return this.replacingLate(replacing, async (keep) => {
      await keep()
      return work()
    })
  }

  /**
   * Runs `work`, which replaces the file at a path and calls `keep` just before. From then on the panel lets no other request replace it until the
   * work is done. The version is stored first, so that a killed panel loses none, and is deleted if the work fails. A content that cannot be kept
   * never blocks the work: the version records the reason.
   */
  async replacingLate<Result extends Replaced>(
    replacing: Replacing,
    work: (keep: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const { files, path, content } = replacing
    let [free, isOver, keeping]: [() => void, boolean, Promise<AllKept> | undefined] = [
      () => {},
      false,
      undefined,
    ]
    const keep = async () => {
      const release = await this.#lock(files, path)
      if (isOver) return release() // the work ended while this waited for the lock
      free = release
      const kept = await (keeping = this.#keep(replacing, [path], content))
      if (kept.size > 0) await this.versionQuota.trim(files.userId)
    }
    try {
      const done = await work(keep).catch((error: unknown) => {
        isOver = true
        return this.#forgetUnreplaced(files.owner, keeping, error)
      })
      await this.#parts.queries.setHeads([
        headOf(replacing, path, done?.etag ?? (await files.owner.stat(path)).etag),
      ])
      return done
    } finally {
      isOver = true // also for a lock still to be acquired, if a helper claims to be done before `keep` returned
      free()
    }
  }

  /**
   * Locks files in the given order and keeps their contents, for work on many files; stops keeping once the contents reach `maxBytes`. The locks
   * last until `free` is called. The caller trims the versions at the end.
   */
  async hold(replacing: ReplacingMany, paths: readonly TextPath[], maxBytes: number): Promise<Held> {
    const { files } = replacing
    const releases: (() => void)[] = []
    const free = () => releases.forEach((release) => release())
    try {
      for (const path of paths) releases.push(await this.#lock(files, path))
      const room = { maxBytes, maxFileBytes: this.limits.maxFileBytes }
      const held = await firstWithin(files.owner.nested, paths, room)
      const kept = await this.#keep(replacing, held)
      return {
        keptBytes: sum([...kept.values()].map(({ row }) => (row.sha256 === null ? 0 : row.size_bytes))),
        notKept: paths.length - held.length,
        replaced: () => this.#noteReplaced(replacing, held, kept),
        failed: () => this.#forgetUnchanged(files.owner, kept),
        free,
      }
    } catch (error) {
      free()
      throw error
    }
  }

  /** Moves the history of a file or folder to the path to which the panel moved it. */
  async follow(files: Files, from: TextPath, to: TextPath): Promise<void> {
    await this.#parts.queries.follow(withText(pathKeyOf(files, from)), withText(pathKeyOf(files, to)))
  }

  /** Returns a version of these files; throws not_found for versions of other users. */
  async version({ userId, username }: Files, id: number, field = 'id'): Promise<VersionRow> {
    const row = await this.#parts.queries.byId(userId, id)
    if (row === undefined) throw NotFound(`${field}: there is no version ${id} of a file of ${username}`)
    return row
  }

  /** Returns the content of a version; throws not_found if it was not kept or is lost. */
  async contentOf(row: VersionRow, field = 'id'): Promise<Buffer> {
    const bytes =
      row.sha256 === null
        ? undefined
        : await this.#parts.contents.get(row.owner_id, row.sha256, row.size_bytes)
    if (bytes !== undefined) return bytes
    const why = row.not_kept === null ? 'is lost' : `was not kept: ${reasons[row.not_kept]}`
    throw NotFound(`${field}: the content of version ${row.id} of ${row.path} ${why}`)
  }

  /** Deletes the versions of a path and of everything below it, or all versions. */
  clear(files: Files, path: TextPath | undefined) {
    return this.versionQuota.clear(
      files.userId,
      path === undefined ? undefined : pathKeyOf(files, path).pathBytes,
    )
  }

  /** Returns the number and size of the versions that `clear` would delete. */
  clearable(files: Files, path: TextPath | undefined) {
    return this.versionQuota.clearable(
      files.userId,
      path === undefined ? undefined : pathKeyOf(files, path).pathBytes,
    )
  }

  #lock(files: Files, path: TextPath): Promise<() => void> {
    const { ownerId, pathBytes } = pathKeyOf(files, path)
    return this.#places.acquire(`${ownerId}:${pathBytes}`)
  }

  #keep(replacing: ReplacingMany, paths: readonly TextPath[], content?: Uint8Array): Promise<AllKept> {
    return keepVersions(this.#parts, this.versionQuota, replacing, paths, content)
  }

  async #noteReplaced(replacing: ReplacingMany, paths: readonly TextPath[], kept: AllKept): Promise<void> {
    const etags = await etagsOf(replacing.files.owner, paths)
    const heads = paths.flatMap((path, at) => {
      const etag = etags[at]
      return etag === undefined || etag === kept.get(path)?.etag ? [] : [headOf(replacing, path, etag)]
    })
    await this.#parts.queries.setHeads(heads)
  }

  async #forgetUnreplaced(
    owner: Owner,
    keeping: Promise<AllKept> | undefined,
    error: unknown,
  ): Promise<never> {
    await this.#forgetUnchanged(owner, (await keeping?.catch(() => undefined)) ?? new Map())
    throw error
  }

  // Failed work may still have replaced a file, for example if its helper was killed before it replied.
  async #forgetUnchanged(owner: Owner, kept: AllKept): Promise<void> {
    const etags = await etagsOf(owner, [...kept.keys()])
    const unreplaced = [...kept.values()].filter(({ etag }, at) => etag === etags[at])
    await this.versionQuota.forget(unreplaced.map(({ row }) => row))
  }
}

const reasons = {
  too_large: 'the file was too large',
  unreadable: 'its owner may not read the file',
  no_room: 'the disk of the panel was full',
}

function headOf({ files, by, through }: ReplacingMany, path: TextPath, etag: string): HeadRow {
  const { ownerId: owner_id, pathBytes: path_bytes } = pathKeyOf(files, path)
  return {
    owner_id,
    path_bytes,
    etag,
    written_at: new Date().toISOString(),
    written_by: by,
    written_through: through,
  }
}

function etagsOf(owner: Owner, paths: readonly TextPath[]): Promise<readonly (string | undefined)[]> {
  return Promise.all(paths.map(async (path) => (await owner.stat(path).catch(() => undefined))?.etag))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
