import { Readable } from 'node:stream'
import { archiveEndings, formatOf } from './archive-names.ts'
import type { Call, Copied, EntryRow, ExtractLimits, ExtractNote, StatRow } from './confined/calls.ts'
import type { Account } from './confinement.ts'
import { printable, problemOf } from './failures.ts'
import { changeFlags } from './flags.ts'
import type { Running } from './keeper.ts'
import { nameFields, shown, toBytes, type OwnerPath } from './paths.ts'
import { ChannelBroken, type CallPlan, type Outcome, type PendingCall } from './pending.ts'
import { HelperFailed, NotLockable, OwnerUnavailable } from './problems.ts'
import { openRead } from './read.ts'
import { replies, type Checker } from './replies.ts'
import { sendBody } from './send-body.ts'
import type {
  Entry,
  ExtractOptions,
  FileStat,
  ListOptions,
  PlaceOptions,
  ReadRange,
  ReadResult,
  SearchMatch,
  TrashItem,
  WriteOptions,
} from './shapes.ts'

/** Runs something with the account's confined program, started when there is none. */
export type Use = <T>(use: (running: Running) => Promise<T>) => Promise<T>

const smallReply = 16 * 1024
const listReply = 16 * 1024 * 1024
const defaultLimits: ExtractLimits = { maxBytes: 20 * 1024 ** 3, maxEntries: 300_000, maxDepth: 64, maxRatio: 250 }

/** The files of one hosting user; every operation runs under his uid. */
export class Owner {
  readonly #account: Account
  readonly #stallMs: number
  readonly #use: Use

  constructor(account: Account, stallMs: number, use: Use) {
    this.#account = account
    this.#stallMs = stallMs
    this.#use = use
  }

  async list(path: OwnerPath, options: ListOptions = {}): Promise<{ readonly items: Entry[]; readonly total: number }> {
    const { page = 1, perPage = 50, sort = 'name', descending = false, showHidden = false } = options
    const request: Call = { op: 'list', path: toBytes(path), offset: (page - 1) * perPage, limit: perPage, sort, descending, hidden: showHidden }
    const found = await this.#ask(request, replies.list, path, listReply)
    return { total: found.total, items: found.entries.slice(0, perPage).map((row) => this.#entry(row)) }
  }

  async stat(path: OwnerPath): Promise<FileStat> {
    return this.#stat(await this.#ask({ op: 'stat', path: toBytes(path) }, replies.stat, path))
  }

  /** Opens a file for reading. The stream must be read to its end or destroyed. */
  async read(path: OwnerPath, range: ReadRange = {}): Promise<ReadResult> {
    const request: Call = { op: 'read', path: toBytes(path), start: range.start ?? 0, ...(range.end === undefined ? {} : { end: range.end }) }
    return new Promise((resolve, reject) => {
      this.#use((running) =>
        openRead(
          (plan) => running.channel.call(plan),
          request,
          this.#stallMs,
          (head) => {
            resolve({ ...head, stat: this.#stat(head.stat) })
          },
          (outcome) => this.#failure(outcome, path),
        ),
      ).catch((error) => reject(this.#explained(error, path)))
    })
  }

  /** Replaces or makes a file as a whole; until the last moment the old one stands. */
  async write(
    path: OwnerPath,
    source: Readable | Uint8Array,
    options: WriteOptions = {},
  ): Promise<{ readonly etag: string; readonly size: number; readonly created: boolean }> {
    const { ifMatch, ifAbsent = false, mode = 0o644, maxBytes = Number.MAX_SAFE_INTEGER, signal } = options
    const request: Call = { op: 'write', path: toBytes(path), ifAbsent, mode: mode & 0o1777, maxBytes, ...(ifMatch === undefined ? {} : { ifMatch }) }
    const body = source instanceof Uint8Array ? [source] : source
    try {
      return await this.#ask(request, replies.written, path, smallReply, { signal, during: (pending) => sendBody(pending, body) })
    } finally {
      if (source instanceof Readable) source.destroy()
    }
  }

  async mkdir(path: OwnerPath, options: { readonly recursive?: boolean; readonly mode?: number } = {}): Promise<void> {
    await this.#ask(
      { op: 'mkdir', path: toBytes(path), recursive: options.recursive ?? false, mode: (options.mode ?? 0o755) & 0o1777 },
      replies.nothing,
      path,
    )
  }

  /** Removes in order, and stops at the first that fails; the problem names it. */
  async remove(
    paths: readonly OwnerPath[],
    options: { readonly recursive?: boolean; readonly trash?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly removed: number }> {
    const bytes = paths.map(toBytes)
    const homeAt = bytes.indexOf('')
    if (homeAt >= 0) throw problemOf({ code: 'BADPATH', why: 'the home itself cannot be removed' }, shown(paths[homeAt] ?? ''))
    const request: Call = { op: 'remove', paths: bytes, recursive: options.recursive ?? false, trash: options.trash ?? false }
    return this.#ask(request, replies.removed, paths[0] ?? '', smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** What was thrown away, the last first. */
  async trash(options: { readonly page?: number; readonly perPage?: number } = {}): Promise<{ readonly items: TrashItem[]; readonly total: number }> {
    const { page = 1, perPage = 50 } = options
    const found = await this.#ask({ op: 'trash', offset: (page - 1) * perPage, limit: perPage }, replies.trash, 'the trash', listReply)
    const items = found.entries.slice(0, perPage).map(({ id, path, type, size, deletedMs }) => {
      const { name, ...bytes } = nameFields(path)
      return {
        id,
        path: name,
        ...('name_b64' in bytes ? { path_b64: bytes.name_b64 } : {}),
        type,
        size_bytes: size,
        deleted_at: new Date(deletedMs).toISOString(),
      }
    })
    return { items, total: found.total }
  }

  /** Puts things of the trash back where they stood, in order up to the first that fails. */
  async restore(ids: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<{ readonly changed: number }> {
    return this.#ask({ op: 'restore', ids: ids.map(trashId) }, replies.changed, 'the trash', smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** Removes things of the trash for good, all of it where none is named. */
  async emptyTrash(ids?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<{ readonly changed: number }> {
    const request: Call = { op: 'empty', ...(ids === undefined ? {} : { ids: ids.map(trashId) }) }
    return this.#ask(request, replies.changed, 'the trash', smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** Finds entries by name, or lines by content, below a folder; at most `limit`, and says whether there are more. */
  async search(
    path: OwnerPath,
    query: string,
    options: { readonly content?: boolean; readonly limit?: number; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly items: SearchMatch[]; readonly isCut: boolean }> {
    const { content = false, limit = 200, signal } = options
    const request: Call = { op: 'search', path: toBytes(path), query: Buffer.from(query).toString('latin1'), content, limit }
    const found = await this.#ask(request, replies.found, path, listReply, { signal, onNote: () => {} })
    const items = found.rows.slice(0, limit).map((row) => {
      const { name, ...bytes } = nameFields(row.path)
      const line = row.line === undefined ? {} : { line: row.line, text: printable(row.text ?? '') }
      return { path: name, ...('name_b64' in bytes ? { path_b64: bytes.name_b64 } : {}), type: row.type, ...line }
    })
    return { items, isCut: found.cut }
  }

  /** Renames, also to another folder; with `into` a folder that stands at `to` takes it in. */
  async move(from: OwnerPath, to: OwnerPath, options: PlaceOptions = {}): Promise<void> {
    await this.#ask({ op: 'move', ...place(from, to, options) }, replies.nothing, from, smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** Copies a file, link or folder with modes and times; it appears under its name when it is whole. */
  async copy(from: OwnerPath, to: OwnerPath, options: PlaceOptions = {}): Promise<Copied> {
    return this.#ask({ op: 'copy', ...place(from, to, options) }, replies.copied, from, smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** Gives a mode, with `recursive` to everything below too; links are never followed. setuid and setgid are the caller's to refuse. */
  async chmod(
    path: OwnerPath,
    mode: number,
    options: { readonly recursive?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly changed: number }> {
    const request: Call = { op: 'chmod', path: toBytes(path), mode: mode & 0o1777, recursive: options.recursive ?? false }
    return this.#ask(request, replies.changed, path, smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** What `du -sb` says of a folder. */
  async dirsize(path: OwnerPath, options: { readonly signal?: AbortSignal } = {}): Promise<{ readonly bytes: number }> {
    return this.#ask({ op: 'dirsize', path: toBytes(path) }, replies.size, path, smallReply, { signal: options.signal, onNote: () => {} })
  }

  /** Makes a file or folder immutable, or lifts that; with `recursive` everything below too, links left out. */
  async lock(path: OwnerPath, isLocked: boolean, options: { readonly recursive?: boolean; readonly signal?: AbortSignal } = {}): Promise<FileStat> {
    if (toBytes(path) === '') throw problemOf({ code: 'BADPATH', why: 'the home itself cannot be locked' }, shown(path))
    const found = await this.stat(path)
    if (found.type !== 'file' && found.type !== 'folder')
      throw problemOf({ code: 'ISLINK', why: 'only files and folders can be locked' }, shown(path))
    const words = await changeFlags(this.#account, toBytes(path), {
      flag: isLocked ? '+i' : '-i',
      recursive: options.recursive ?? false,
      signal: options.signal,
    })
    const now = await this.stat(path)
    if (words !== '' || now.is_locked !== isLocked) throw NotLockable(`${shown(path)}: ${words || 'the file system does not keep the flag'}`)
    return now
  }

  /** Packs what stands at the paths into a new archive at the top of the home; where its name is taken, `.1`, `.2` … is appended. */
  async compress(
    paths: readonly OwnerPath[],
    archive: string,
    options: ExtractOptions = {},
  ): Promise<{ readonly archive: string; readonly bytes: number }> {
    const format = formatOf(archive)
    if (format === undefined) throw problemOf({ code: 'BADPATH', why: `the name of an archive ends in ${archiveEndings.join(', ')}` }, shown(archive))
    const request: Call = { op: 'compress', paths: paths.map(toBytes), archive: toBytes(archive), format }
    const onNote = (note: unknown) => {
      if (replies.note.Check(note)) options.onProgress?.(note)
    }
    const { suffix, bytes } = await this.#ask(request, replies.compressed, archive, smallReply, { signal: options.signal, onNote })
    return { archive: suffix === 0 ? archive : `${archive}.${suffix}`, bytes }
  }

  /** Unpacks a zip, tar, tar.gz, tar.zst or tar.xz of the home into a folder of the home. Nothing appears there before all of it was checked. */
  async extract(archive: OwnerPath, dest: OwnerPath, options: ExtractOptions = {}): Promise<ExtractNote> {
    const request: Call = { op: 'extract', archive: toBytes(archive), dest: toBytes(dest), limits: { ...defaultLimits, ...options.limits } }
    const onNote = (note: unknown) => {
      if (replies.note.Check(note)) options.onProgress?.(note)
    }
    return this.#ask(request, replies.note, archive, smallReply, { signal: options.signal, onNote })
  }

  async #ask<T>(request: Call, reply: Checker<T>, sent: OwnerPath, replyLimitBytes = smallReply, extra: AskExtra = {}): Promise<T> {
    extra.signal?.throwIfAborted()
    const plan: CallPlan = {
      request,
      reply,
      replyLimitBytes,
      stallMs: this.#stallMs,
      ...(extra.onNote === undefined ? {} : { onNote: extra.onNote }),
    }
    try {
      return await this.#use(async (running) => {
        const pending = running.channel.call(plan)
        const cancel = () => pending.cancel()
        extra.signal?.addEventListener('abort', cancel, { once: true })
        try {
          await extra.during?.(pending)
          const outcome = await pending.outcome
          if ('fail' in outcome) throw this.#failure(outcome, sent, extra.signal)
          return outcome.ok as T // checked by the plan's `reply`
        } finally {
          extra.signal?.removeEventListener('abort', cancel)
        }
      })
    } catch (error) {
      throw this.#explained(error, sent)
    }
  }

  #failure(outcome: Outcome, sent: OwnerPath, signal?: AbortSignal): unknown {
    if (!('fail' in outcome)) return HelperFailed(`${shown(sent)}: it ended early`)
    return outcome.fail.code === 'CANCELLED' && signal?.aborted === true ? signal.reason : problemOf(outcome.fail, shown(sent))
  }

  #explained(error: unknown, sent: OwnerPath): unknown {
    if (!(error instanceof ChannelBroken)) return error
    if (error.reason === 'stuck') return OwnerUnavailable(`${shown(sent)}: the file system did not answer in time`, { cause: error })
    return HelperFailed(`${shown(sent)}: the program that works for ${this.#account.name} ended`, { cause: error })
  }

  #stat(row: StatRow): FileStat {
    return { ...this.#entry(row), etag: row.etag }
  }

  #entry(row: EntryRow): Entry {
    const { name, uid, gid } = this.#account
    return {
      ...nameFields(row.name),
      type: row.type,
      size_bytes: row.size,
      mode: row.mode.toString(8).padStart(4, '0'),
      owner: row.uid === uid ? name : String(row.uid),
      group: row.gid === gid ? name : String(row.gid),
      modified_at: new Date(row.mtimeMs).toISOString(),
      is_locked: row.locked,
      ...(row.target === undefined ? {} : { link_target: Buffer.from(row.target, 'latin1').toString('utf8') }),
    }
  }
}

interface AskExtra {
  readonly signal?: AbortSignal | undefined
  readonly onNote?: (note: unknown) => void
  readonly during?: (pending: PendingCall) => Promise<void>
}

function trashId(id: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(id)) throw problemOf({ code: 'BADPATH', why: 'no id of the trash' }, shown(id))
  return id
}

function place(from: OwnerPath, to: OwnerPath, { overwrite = false, into = false }: PlaceOptions) {
  return { from: toBytes(from), to: toBytes(to), overwrite, into }
}
