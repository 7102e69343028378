import { NotFound } from '../../../core/problem.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import { type HistoryParts, type Kept, keepVersions, type Replacing, type ReplacingMany } from './keep.ts'
import type { HistoryLimits } from './limits.ts'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { VersionQuota } from './version-quota.ts'
import { pathKeyOf, withText } from './path-key.ts'
import { firstWithin } from './standing.ts'
import type { HeadRow, VersionRow } from './store.ts'

/** What work on a file answers, if anything. */
export type Replaced = { readonly etag?: string } | void

/** Files that are kept while they are replaced together. */
export interface Held {
  /** Of the contents that were kept. */
  readonly keptBytes: number
  /** How many files were left out, as there was no room for them. */
  readonly notKept: number
  /** Notes who gave them what stands there now. */
  replaced(): Promise<void>
  /** Forgets the versions again where what was kept still stands. */
  failed(): Promise<void>
  free(): void
}

type AllKept = ReadonlyMap<TextPath, Kept>

/** Versions of files that are changed through the panel (docs/decisions/0008). */
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

  /** Keeps what stands at a path, then lets `work` replace it. */
  replacing<Result extends Replaced>(replacing: Replacing, work: () => Promise<Result>): Promise<Result> {
    return this.replacingLate(replacing, async (keep) => {
      await keep()
      return work()
    })
  }

  /**
   * Lets `work` replace what stands at a path. It calls `keep` just before that: from then on nobody else in the panel replaces it until the
   * work is done. The version is there before, so that a panel that is killed loses none, and is forgotten where the work fails. That it cannot
   * be kept never keeps the work from being done: the version says so.
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
      if (isOver) return release() // the work failed while this waited
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
      isOver = true // also for a release that is still to come, where a program claims to be done before
      free()
    }
  }

  /**
   * Takes the turns of files, one after the other, and keeps what stands there, for work on many: no more of them once contents of `maxBytes`
   * are kept. The turns last until `free` is called. The shelf is to be trimmed at the end.
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
        failed: () => this.#forgetWhereTheyStand(files.owner, kept),
        free,
      }
    } catch (error) {
      free()
      throw error
    }
  }

  /** Lets the history of a file or folder follow it to where the panel moved it. */
  async follow(files: Files, from: TextPath, to: TextPath): Promise<void> {
    await this.#parts.queries.follow(withText(pathKeyOf(files, from)), withText(pathKeyOf(files, to)))
  }

  /** A version of these files; those of others are as good as none. */
  async version({ userId, username }: Files, id: number, field = 'id'): Promise<VersionRow> {
    const row = await this.#parts.queries.byId(userId, id)
    if (row === undefined) throw NotFound(`${field}: there is no version ${id} of a file of ${username}`)
    return row
  }

  /** The content of a version. */
  async contentOf(row: VersionRow, field = 'id'): Promise<Buffer> {
    const bytes =
      row.sha256 === null
        ? undefined
        : await this.#parts.contents.get(row.owner_id, row.sha256, row.size_bytes)
    if (bytes !== undefined) return bytes
    const why = row.not_kept === null ? 'is lost' : `was not kept: ${reasons[row.not_kept]}`
    throw NotFound(`${field}: the content of version ${row.id} of ${row.path} ${why}`)
  }

  /** Forgets the versions of a path and all below it, or all of them. */
  clear(files: Files, path: TextPath | undefined) {
    return this.versionQuota.clear(
      files.userId,
      path === undefined ? undefined : pathKeyOf(files, path).pathBytes,
    )
  }

  /** What `clear` would forget. */
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
    await this.#forgetWhereTheyStand(owner, (await keeping?.catch(() => undefined)) ?? new Map())
    throw error
  }

  // Work that fails may have replaced a file all the same, as where its program was killed before it said so.
  async #forgetWhereTheyStand(owner: Owner, kept: AllKept): Promise<void> {
    const etags = await etagsOf(owner, [...kept.keys()])
    const unreplaced = [...kept.values()].filter(({ etag }, at) => etag === etags[at])
    await this.versionQuota.forget(unreplaced.map(({ row }) => row))
  }
}

const reasons = {
  too_large: 'the file was too large',
  unreadable: 'its owner may not read the file',
  no_room: 'there was no room on the disk of the panel',
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
