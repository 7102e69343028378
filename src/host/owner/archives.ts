import type { Readable } from 'node:stream'
import { archiveEndings, formatOf } from './archive-names.ts'
import { type Asking, type Question, replyLimits } from './asking.ts'
import type { ArchiveRow, ExtractLimits, ExtractNote, PackCall } from './confined/calls.ts'
import type { Call } from './confined/call.ts'
import { printable, problemOf } from './failures.ts'
import { nameFields, shown, textOf, toBytes, type OwnerPath } from './paths.ts'
import { openStream } from './read.ts'
import { maxArchiveRows, maxReplaced, replies } from './replies.ts'
import { sendBody } from './send-body.ts'
import type { ArchiveEntries, ArchiveEntry, ArchiveLook, ExtractOptions, Replacing } from './shapes.ts'

const defaultLimits: ExtractLimits = {
  maxBytes: 20 * 1024 ** 3,
  maxEntries: 300_000,
  maxDepth: 64,
  maxRatio: 250,
}

/** Packs and unpacks archives in a hosting user's home. */
export class OwnerArchives {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Packs the paths into a new archive at the top of the home; if its name is taken, `.1`, `.2` … is appended. */
  async compress(
    paths: readonly OwnerPath[],
    archive: string,
    options: ExtractOptions = {},
  ): Promise<{ readonly archive: string; readonly bytes: number }> {
    const format = formatOf(archive)
    if (format === undefined)
      throw problemOf(
        { code: 'BADPATH', why: `the name of an archive must end in ${archiveEndings.join(', ')}` },
        shown(archive),
      )
    const named = { field: 'archive_name', path: archive }
    const request: Call = { op: 'compress', paths: paths.map(toBytes), archive: toBytes(named), format }
    const onNote = (note: unknown) => {
      if (replies.note.Check(note)) options.onProgress?.(note)
    }
    const { suffix, bytes } = await this.#asking.ask({
      request,
      reply: replies.compressed,
      about: named,
      also: paths,
      signal: options.signal,
      onNote,
    })
    return { archive: suffix === 0 ? archive : `${archive}.${suffix}`, bytes }
  }

  /** Streams a folder as an archive while it is packed. If the stream ends in an error, the archive is incomplete. */
  async download(folder: OwnerPath, format: PackCall['format']): Promise<Readable> {
    const request: Call = { op: 'pack', path: toBytes(folder), format }
    return (await openStream(this.#asking, { request, about: folder, head: replies.nothing })).stream
  }

  /**
   * Unpacks a zip, tar, tar.gz, tar.zst or tar.xz of the home into a folder of the home. Nothing appears there until the whole archive has
   * been checked, and nothing is replaced until `replacing` has been notified.
   */
  async extract(archive: OwnerPath, dest: OwnerPath, options: ExtractOptions = {}): Promise<ExtractNote> {
    const { limits, replacing, signal } = options
    const tells = replacing && { maxFiles: maxReplaced, compareBytes: replacing.compareBytes }
    const paths = { archive: toBytes(archive), dest: toBytes(dest) }
    const request: Call = {
      op: 'extract',
      ...paths,
      limits: { ...defaultLimits, ...limits },
      ...(tells && { tells }),
    }
    const onNote = (note: unknown) => {
      if (replies.note.Check(note)) options.onProgress?.(note)
    }
    const confirmation = replacing && confirmationOf(replacing)
    return this.#asking.ask({
      request,
      reply: replies.note,
      about: archive,
      also: [dest],
      signal,
      onNote,
      ...confirmation,
    })
  }

  /** Reads an archive as if to unpack it and returns the effect of unpacking. Fails as unpacking would. */
  async look(
    archive: OwnerPath,
    dest: OwnerPath,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ArchiveLook> {
    const request: Call = {
      op: 'look',
      archive: toBytes(archive),
      dest: toBytes(dest),
      limits: defaultLimits,
    }
    const question = {
      request,
      reply: replies.looked,
      about: archive,
      also: [dest],
      limit: lookLimitBytes,
      signal: options.signal,
      onNote: () => {},
    }
    const looked = await this.#asking.ask(question)
    return { ...looked, paths: looked.paths.map((path) => Buffer.from(path, 'latin1').toString('utf8')) }
  }

  /** Lists the entries of an archive. Fails as unpacking would if the first of them cannot be read; a later failure ends the list. */
  async entries(
    archive: OwnerPath,
    options: {
      readonly limits?: Partial<ExtractLimits>
      readonly maxMs?: number
      readonly signal?: AbortSignal
    } = {},
  ): Promise<ArchiveEntries> {
    const { maxMs = entriesMs, signal } = options
    const limits = { ...defaultLimits, ...options.limits }
    const { rows, entries, bytes, cutBy } = await this.#asking.ask({
      request: { op: 'entries', archive: toBytes(archive), limits, maxRows: maxArchiveRows, maxMs },
      reply: replies.entries,
      about: archive,
      limit: replyLimits.list,
      signal,
      onNote: () => {},
    })
    return {
      items: rows.map(entryOf),
      total: entries,
      sizeBytes: bytes,
      ...(cutBy !== undefined && { cutBy: printable(cutBy) }),
    }
  }
}

const entriesMs = 10_000
const lookLimitBytes = 1024 * 1024
const replacedLimitBytes = 8 * 1024 * 1024

function entryOf({ path, type, size, mtimeMs }: ArchiveRow): ArchiveEntry {
  const { name, ...bytes } = nameFields(path)
  return {
    path: name,
    ...('name_b64' in bytes && { path_b64: bytes.name_b64 }),
    type,
    size_bytes: size,
    modified_at: new Date(mtimeMs).toISOString(),
  }
}

// If the helper sends no list of replaced files, the call ends without a head.
function confirmationOf({ keep }: Replacing): Pick<Question<unknown>, 'headPlan' | 'during'> {
  const { promise: head, resolve } = Promise.withResolvers<unknown>()
  return {
    headPlan: { head: replies.replaced, headLimitBytes: replacedLimitBytes, onHead: resolve },
    during: async (pending) => {
      const replaced = await Promise.race([head, pending.outcome])
      if (!replies.replaced.Check(replaced)) return
      const paths = replaced.paths.map((path) => textOf(Buffer.from(path, 'latin1')))
      await sendBody(pending, [], () => keep(paths, replaced.further))
    },
  }
}
