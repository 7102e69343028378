import { buffer } from 'node:stream/consumers'
import type { Log } from '../../../core/endpoint.ts'
import { NotFound, Problem, type ProblemKind } from '../../../core/problem.ts'
import type { Contents } from '../../../host/contents.ts'
import { type FileStat, ownerProblems, pathBytes } from '../../../host/owner/index.ts'
import type { Store } from '../../../store/store.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { HistoryLimits } from './limits.ts'
import { OneByOne } from './one-by-one.ts'
import { Shelves } from './shelves.ts'
import type { Spot, Through, VersionQueries, VersionRow } from './store.ts'

interface Parts {
  readonly store: Store
  readonly queries: VersionQueries
  readonly contents: Contents
  readonly limits: HistoryLimits
  readonly log: Log
}

/** A file that is about to be replaced. */
export interface Replacing {
  readonly files: Files
  readonly path: TextPath
  /** The panel user who does it; null where it is nobody's doing. */
  readonly by: number | null
  readonly through: Through
  /** What is written, where it is at hand: the same content again makes no version. */
  readonly content?: Uint8Array
}

/** What work on a file answers, if anything. */
export type Replaced = { readonly etag?: string } | void

/** A version that was kept, and the etag of the file that stood there. */
interface Kept {
  readonly row: VersionRow
  readonly etag: string
}

/** A file that is kept while it is replaced together with others. */
export interface Held {
  /** Of its content; 0 where that was not kept. */
  readonly keptBytes: number
  /** Notes who gave it what stands there now. */
  replaced(): Promise<void>
  /** Forgets the version again where what was kept still stands. */
  failed(): Promise<void>
  free(): void
}

interface Standing {
  readonly stat: FileStat
  readonly bytes?: Buffer
  readonly notKept?: 'too_large' | 'unreadable'
}

/** Versions of files that are changed through the panel (docs/decisions/0008). */
export class History {
  readonly #parts: Parts
  readonly shelves: Shelves
  readonly #places = new OneByOne<string>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.shelves = new Shelves(parts)
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
  async replacingLate<Result extends Replaced>(replacing: Replacing, work: (keep: () => Promise<void>) => Promise<Result>): Promise<Result> {
    const { files, path } = replacing
    const { ownerId, pathBytes: bytes } = spotOf(files, path)
    let [free, isOver, keeping]: [() => void, boolean, Promise<Kept | undefined> | undefined] = [() => {}, false, undefined]
    const keep = async () => {
      const turn = await this.#places.take(`${ownerId}:${bytes}`)
      if (isOver) return turn() // the work failed while this waited
      free = turn
      await (keeping = this.#keep(replacing))
    }
    try {
      const done = await work(keep).catch((error: unknown) => {
        isOver = true
        return this.#forgetUnreplaced(replacing, keeping, error)
      })
      await this.#setHead(replacing, done?.etag ?? (await files.owner.stat(path)).etag)
      return done
    } finally {
      free()
    }
  }

  /** Takes the turn of a file and keeps what stands there, for work on many files: the turn lasts until `free` is called. */
  async hold(replacing: Replacing): Promise<Held> {
    const { files, path } = replacing
    const { ownerId, pathBytes: bytes } = spotOf(files, path)
    const free = await this.#places.take(`${ownerId}:${bytes}`)
    try {
      const kept = await this.#keep(replacing)
      return {
        keptBytes: kept === undefined || kept.row.sha256 === null ? 0 : kept.row.size_bytes,
        replaced: async () => {
          const etag = (await files.owner.stat(path).catch(() => undefined))?.etag
          if (etag !== undefined && etag !== kept?.etag) await this.#setHead(replacing, etag)
        },
        failed: () => this.#forgetWhereItStands(replacing, kept),
        free,
      }
    } catch (error) {
      free()
      throw error
    }
  }

  /** Lets the history of a file or folder follow it to where the panel moved it. */
  async follow(files: Files, from: TextPath, to: TextPath): Promise<void> {
    await this.#parts.queries.follow(withText(spotOf(files, from)), withText(spotOf(files, to)))
  }

  /** A version of these files; those of others are as good as none. */
  async version({ userId, username }: Files, id: number, field = 'id'): Promise<VersionRow> {
    const row = await this.#parts.queries.byId(userId, id)
    if (row === undefined) throw NotFound(`${field}: there is no version ${id} of a file of ${username}`)
    return row
  }

  /** The content of a version. */
  async contentOf(row: VersionRow, field = 'id'): Promise<Buffer> {
    const bytes = row.sha256 === null ? undefined : await this.#parts.contents.get(row.owner_id, row.sha256, row.size_bytes)
    if (bytes !== undefined) return bytes
    const why = row.not_kept === null ? 'is lost' : `was not kept: ${reasons[row.not_kept]}`
    throw NotFound(`${field}: the content of version ${row.id} of ${row.path} ${why}`)
  }

  /** Forgets the versions of a path and all below it, or all of them. */
  clear(files: Files, path: TextPath | undefined) {
    return this.shelves.clear(files.userId, path === undefined ? undefined : spotOf(files, path).pathBytes)
  }

  /** What `clear` would forget. */
  clearable(files: Files, path: TextPath | undefined) {
    return this.shelves.clearable(files.userId, path === undefined ? undefined : spotOf(files, path).pathBytes)
  }

  // Work that fails may have replaced the file all the same, as where its program was killed before it said so.
  async #forgetUnreplaced(replacing: Replacing, keeping: Promise<Kept | undefined> | undefined, error: unknown): Promise<never> {
    await this.#forgetWhereItStands(replacing, await keeping?.catch(() => undefined))
    throw error
  }

  async #forgetWhereItStands({ files, path }: Replacing, kept: Kept | undefined): Promise<void> {
    const stands = kept && (await files.owner.stat(path).catch(() => undefined))
    if (kept !== undefined && stands?.etag === kept.etag) await this.shelves.forget(kept.row)
  }

  async #setHead({ files, path, by, through }: Replacing, etag: string): Promise<void> {
    const { ownerId: owner_id, pathBytes: path_bytes } = spotOf(files, path)
    await this.#parts.queries.setHead({ owner_id, path_bytes, etag, written_at: new Date().toISOString(), written_by: by, written_through: through })
  }

  async #keep(replacing: Replacing): Promise<Kept | undefined> {
    const { files, path, by, through, content } = replacing
    const standing = await this.#standing(files, path)
    if (standing === undefined || (content !== undefined && standing.bytes?.equals(content))) return undefined
    const spot = spotOf(files, path)
    const head = await this.#parts.queries.head(spot)
    const isOurs = head !== undefined && sameContent(head.etag, standing.stat.etag)
    const { stat } = standing
    const row = await this.shelves.add(files.userId, async () => ({
      id: this.#parts.store.nextId('file_versions'),
      owner_id: files.userId,
      path: withText(spot).path,
      path_bytes: spot.pathBytes,
      size_bytes: stat.size_bytes,
      mode: Number.parseInt(stat.mode, 8),
      written_at: isOurs ? head.written_at : stat.modified_at,
      written_by: isOurs ? head.written_by : null,
      written_through: isOurs ? head.written_through : null,
      replaced_at: new Date().toISOString(),
      replaced_by: by,
      replaced_through: through,
      ...(await this.#stored(files, standing)),
    }))
    return { row, etag: stat.etag }
  }

  async #standing({ owner }: Files, path: TextPath): Promise<Standing | undefined> {
    const { maxFileBytes } = this.#parts.limits
    try {
      const { stat, stream } = await owner.read(path, { end: maxFileBytes })
      if (stat.size_bytes <= maxFileBytes) return { stat, bytes: await buffer(stream) }
      stream.destroy()
      return { stat, notKept: 'too_large' }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (nothingThere.has(error.kind)) return undefined
      if (error.kind !== ownerProblems.NotPermitted) throw error
      const stat = await owner.stat(path).catch(() => undefined)
      return stat?.type === 'file' ? { stat, notKept: 'unreadable' } : undefined
    }
  }

  async #stored({ userId, username }: Files, { bytes, notKept }: Standing): Promise<Pick<VersionRow, 'sha256' | 'stored_bytes' | 'not_kept'>> {
    if (bytes === undefined) return { sha256: null, stored_bytes: 0, not_kept: notKept ?? null }
    try {
      const { sha256, storedBytes } = await this.#parts.contents.put(userId, bytes)
      return { sha256, stored_bytes: storedBytes, not_kept: null }
    } catch (error) {
      this.#parts.log.error({ err: error, username }, 'a version of a file could not be kept')
      return { sha256: null, stored_bytes: 0, not_kept: 'no_room' }
    }
  }
}

const { NoSuchFile, IsAFolder, NotAFolder, NotAFile, PathInvalid } = ownerProblems
const nothingThere: ReadonlySet<ProblemKind> = new Set([NoSuchFile, IsAFolder, NotAFolder, NotAFile, PathInvalid])

const reasons = {
  too_large: 'the file was too large',
  unreadable: 'its owner may not read the file',
  no_room: 'there was no room on the disk of the panel',
}

function spotOf({ userId }: Files, path: TextPath): Spot {
  return { ownerId: userId, pathBytes: pathBytes(path).toString('latin1').replace(/\/$/, '') }
}

function withText(spot: Spot): Spot & { readonly path: string } {
  return { ...spot, path: Buffer.from(spot.pathBytes, 'latin1').toString('utf8') }
}

/** Whether two etags are of one content: their last part also changes with the name and the mode. */
function sameContent(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf('-')) === other.slice(0, other.lastIndexOf('-'))
}
