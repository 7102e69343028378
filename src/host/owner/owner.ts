/* oxlint-disable max-lines -- one method per operation of the owner */
import { Readable } from 'node:stream'
import { OwnerArchives } from './archives.ts'
import { Asking, replyLimits, type Uses } from './asking.ts'
import type { Copied, EntryRow, StatRow } from './confined/calls.ts'
import type { Call } from './confined/call.ts'
import type { Account } from './confinement.ts'
import { problemOf } from './failures.ts'
import { type PreviewExtent, previewFirstCall } from './preview.ts'
import { changeFlags } from './flags.ts'
import { OwnerGit } from './git/owner-git.ts'
import { nameFields, shown, toBytes, type OwnerPath } from './paths.ts'
import { NotLockable } from './problems.ts'
import { openRead } from './read.ts'
import { replies } from './replies.ts'
import type { RunResult } from '../run.ts'
import { type OwnerRunOptions, runConfined } from './run.ts'
import { searchHome, type SearchOptions } from './search.ts'
import { sendBody } from './send-body.ts'
import type {
  Entry,
  FileStat,
  ListOptions,
  PlaceOptions,
  ReadRange,
  ReadResult,
  SearchMatch,
  WriteOptions,
} from './shapes.ts'
import { OwnerTrash } from './trash.ts'
import { OwnerUploads } from './uploads.ts'

/** The operations available to previewed work: git, programs and nested calls would be carried out. */
export type Previewing = Omit<Owner, 'git' | 'run' | 'nested' | 'preview'>

/** The files of one hosting user; every operation runs under the user's uid. */
export class Owner {
  readonly trash: OwnerTrash
  readonly archives: OwnerArchives
  readonly uploads: OwnerUploads
  readonly git: OwnerGit
  readonly #asking: Asking
  readonly #uses: Uses

  constructor(account: Account, stallMs: number, uses: Uses, isPreviewing = false) {
    this.#uses = uses
    this.#asking = new Asking(account, stallMs, uses, isPreviewing)
    this.trash = new OwnerTrash(this.#asking)
    this.archives = new OwnerArchives(this.#asking)
    this.uploads = new OwnerUploads(this.#asking)
    this.git = new OwnerGit(this.#asking)
  }

  /** The same files, for work that a call in progress waits for: it has slots of its own, so that calls do not deadlock on themselves. */
  get nested(): Owner {
    const { account, stallMs } = this.#asking
    return new Owner(account, stallMs, { ...this.#uses, use: this.#uses.useNested })
  }

  /** Returns the effect of the first call of `work` that would change something. It fails as that would, and nothing is changed. */
  preview(work: (owner: Previewing) => Promise<unknown>): Promise<PreviewExtent> {
    const { account, stallMs } = this.#asking
    const useLarge = () => Promise.reject(new Error('what needs a program of its own cannot be previewed'))
    return previewFirstCall(() => work(new Owner(account, stallMs, { ...this.#uses, useLarge }, true)))
  }

  /** Runs one program of the host where only the home and the named sockets are writable. Never rejects. */
  run(argv: readonly [string, ...string[]], options: OwnerRunOptions = {}): Promise<RunResult> {
    return runConfined(this.#asking.account, argv, options)
  }

  async list(
    path: OwnerPath,
    options: ListOptions = {},
  ): Promise<{ readonly items: Entry[]; readonly total: number }> {
    const {
      page = 1,
      perPage = 50,
      sort = 'name',
      descending = false,
      showHidden = false,
      foldersFirst = false,
      search,
    } = options
    const wanted = search === undefined ? {} : { search: Buffer.from(search).toString('latin1') }
    const request: Call = {
      ...{
        op: 'list',
        path: toBytes(path),
        offset: (page - 1) * perPage,
        limit: perPage,
        sort,
        descending,
        hidden: showHidden,
        foldersFirst,
      },
      ...wanted,
    }
    const found = await this.#asking.ask({
      request,
      reply: replies.list,
      about: path,
      limit: replyLimits.list,
    })
    return { total: found.total, items: found.entries.slice(0, perPage).map((row) => this.#entry(row)) }
  }

  async stat(path: OwnerPath): Promise<FileStat> {
    return this.#stat(
      await this.#asking.ask({
        request: { op: 'stat', path: toBytes(path) },
        reply: replies.stat,
        about: path,
      }),
    )
  }

  /** Opens a file for reading. The stream must be read to its end or destroyed. */
  async read(path: OwnerPath, range: ReadRange = {}): Promise<ReadResult> {
    const request: Call = {
      op: 'read',
      path: toBytes(path),
      start: range.start ?? 0,
      ...(range.end === undefined ? {} : { end: range.end }),
    }
    const { head, stream } = await openRead(this.#asking, request, path)
    return { ...head, stat: this.#stat(head.stat), stream }
  }

  /** Replaces or creates a file atomically; the old one stays in place until then. */
  async write(
    path: OwnerPath,
    source: Readable | Uint8Array,
    options: WriteOptions = {},
  ): Promise<{ readonly etag: string; readonly size: number; readonly created: boolean }> {
    const {
      ifMatch,
      ifAbsent = false,
      mode = 0o644,
      maxBytes = Number.MAX_SAFE_INTEGER,
      beforeTransfer,
      signal,
    } = options
    const request: Call = {
      op: 'write',
      path: toBytes(path),
      ifAbsent,
      mode: mode & 0o1777,
      maxBytes,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    }
    const body = source instanceof Uint8Array ? [source] : source
    try {
      return await this.#asking.ask({
        request,
        reply: replies.written,
        about: path,
        signal,
        during: (pending) => sendBody(pending, body, beforeTransfer),
      })
    } finally {
      if (source instanceof Readable) source.destroy()
    }
  }

  async mkdir(
    path: OwnerPath,
    options: { readonly recursive?: boolean; readonly mode?: number } = {},
  ): Promise<void> {
    await this.#asking.ask({
      request: {
        op: 'mkdir',
        path: toBytes(path),
        recursive: options.recursive ?? false,
        mode: (options.mode ?? 0o755) & 0o1777,
      },
      reply: replies.nothing,
      about: path,
    })
  }

  /** Removes in order, and stops at the first failure; the problem names the path. */
  async remove(
    paths: readonly OwnerPath[],
    options: { readonly recursive?: boolean; readonly trash?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly removed: number }> {
    const bytes = paths.map(toBytes)
    const homeAt = bytes.indexOf('')
    if (homeAt >= 0)
      throw problemOf({ code: 'BADPATH', why: 'the home itself cannot be removed' }, paths[homeAt] ?? '')
    const request: Call = {
      op: 'remove',
      paths: bytes,
      recursive: options.recursive ?? false,
      trash: options.trash ?? false,
    }
    return this.#asking.ask({
      request,
      reply: replies.removed,
      about: paths[0] ?? '',
      also: paths.slice(1),
      signal: options.signal,
      onNote: () => {},
    })
  }

  /** Finds entries by name, or lines by content, below a folder, and yields each as soon as it is found. */
  find(path: OwnerPath, query: string, options: SearchOptions = {}): AsyncGenerator<SearchMatch> {
    return searchHome(this.#asking, path, query, options)
  }

  /** Returns the results of `find`, ordered by path; at most `limit`, and if there are more. */
  async search(
    path: OwnerPath,
    query: string,
    options: SearchOptions = {},
  ): Promise<{ readonly items: readonly SearchMatch[]; readonly isCut: boolean }> {
    const { limit = 200 } = options
    const found: SearchMatch[] = []
    for await (const match of this.find(path, query, { ...options, limit: limit + 1 })) found.push(match)
    const items = found
      .slice(0, limit)
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    return { items, isCut: found.length > limit }
  }

  /** Renames, also to another folder; with `into`, an existing folder at `to` takes it in. */
  async move(from: OwnerPath, to: OwnerPath, options: PlaceOptions = {}): Promise<void> {
    await this.#asking.ask({
      request: { op: 'move', ...place(from, to, options) },
      reply: replies.nothing,
      about: from,
      also: [to],
      signal: options.signal,
      onNote: progressNote(options),
    })
  }

  /** Copies a file, link or folder with modes and times; it appears under its name when it is complete. */
  async copy(from: OwnerPath, to: OwnerPath, options: PlaceOptions = {}): Promise<Copied> {
    return this.#asking.ask({
      request: { op: 'copy', ...place(from, to, options) },
      reply: replies.copied,
      about: from,
      also: [to],
      signal: options.signal,
      onNote: progressNote(options),
    })
  }

  /** Sets a mode, with `recursive` also of everything below, or with `only` of its files or folders; no link is followed. The caller must refuse setuid and setgid. */
  async chmod(
    path: OwnerPath,
    mode: number,
    options: {
      readonly recursive?: boolean
      readonly only?: 'files' | 'folders' | undefined
      readonly signal?: AbortSignal
    } = {},
  ): Promise<{ readonly changed: number }> {
    const { recursive = false, only } = options
    const request: Call = {
      op: 'chmod',
      path: toBytes(path),
      mode: mode & 0o1777,
      recursive,
      ...(only && { only }),
    }
    return this.#asking.ask({
      request,
      reply: replies.changed,
      about: path,
      signal: options.signal,
      onNote: () => {},
    })
  }

  /** Returns the figure of `du -sb` for a folder. */
  async dirsize(
    path: OwnerPath,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly bytes: number }> {
    return this.#asking.ask({
      request: { op: 'dirsize', path: toBytes(path) },
      reply: replies.size,
      about: path,
      signal: options.signal,
      onNote: () => {},
    })
  }

  /** Makes a file or folder immutable, or mutable again; with `recursive` also everything below, except links. */
  async lock(
    path: OwnerPath,
    isLocked: boolean,
    options: { readonly recursive?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<FileStat> {
    await this.lockable(path)
    const { recursive = false, signal } = options
    const flags = { flag: isLocked ? '+i' : '-i', recursive, signal } as const
    const message = await this.#asking.useLarge(() => changeFlags(this.#asking.account, toBytes(path), flags))
    const now = await this.stat(path)
    if (message !== '' || now.is_locked !== isLocked)
      throw NotLockable(`${shown(path)}: ${message || 'the file system does not support the flag'}`)
    return now
  }

  /** Returns the type of the entry at a path; refuses one that cannot be locked or unlocked. */
  async lockable(path: OwnerPath): Promise<FileStat> {
    if (toBytes(path) === '')
      throw problemOf({ code: 'BADPATH', why: 'the home itself cannot be locked' }, path)
    const found = await this.stat(path)
    if (found.type !== 'file' && found.type !== 'folder')
      throw problemOf({ code: 'ISLINK', why: 'only files and folders can be locked' }, path)
    return found
  }

  #stat(row: StatRow): FileStat {
    return { ...this.#entry(row), etag: row.etag }
  }

  #entry(row: EntryRow): Entry {
    const { name, uid, gid } = this.#asking.account
    return {
      ...nameFields(row.name),
      type: row.type,
      size_bytes: row.size,
      mode: row.mode.toString(8).padStart(4, '0'),
      owner: row.uid === uid ? name : String(row.uid),
      group: row.gid === gid ? name : String(row.gid),
      modified_at: new Date(row.mtimeMs).toISOString(),
      is_locked: row.locked,
      ...(row.target === undefined
        ? {}
        : { link_target: Buffer.from(row.target, 'latin1').toString('utf8') }),
    }
  }
}

function progressNote({ onProgress }: PlaceOptions): (note: unknown) => void {
  return (note) => {
    if (replies.note.Check(note)) onProgress?.(note)
  }
}

function place(from: OwnerPath, to: OwnerPath, { overwrite = false, into = false }: PlaceOptions) {
  return { from: toBytes(from), to: toBytes(to), overwrite, into }
}
