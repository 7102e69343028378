import type { Readable } from 'node:stream'
import { archiveEndings, formatOf } from './archive-names.ts'
import type { Asking } from './asking.ts'
import type { Call, ExtractLimits, ExtractNote, PackCall } from './confined/calls.ts'
import { problemOf } from './failures.ts'
import { shown, toBytes, type OwnerPath } from './paths.ts'
import { openStream } from './read.ts'
import { replies } from './replies.ts'
import type { ExtractOptions } from './shapes.ts'

const defaultLimits: ExtractLimits = { maxBytes: 20 * 1024 ** 3, maxEntries: 300_000, maxDepth: 64, maxRatio: 250 }

/** Packing and unpacking in a hosting user's home. */
export class OwnerArchives {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Packs what stands at the paths into a new archive at the top of the home; where its name is taken, `.1`, `.2` … is appended. */
  async compress(
    paths: readonly OwnerPath[],
    archive: string,
    options: ExtractOptions = {},
  ): Promise<{ readonly archive: string; readonly bytes: number }> {
    const format = formatOf(archive)
    if (format === undefined) throw problemOf({ code: 'BADPATH', why: `the name of an archive ends in ${archiveEndings.join(', ')}` }, shown(archive))
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

  /** Sends a folder as an archive while it is packed. A stream that ends in an error is no whole archive. */
  async download(folder: OwnerPath, format: PackCall['format']): Promise<Readable> {
    const request: Call = { op: 'pack', path: toBytes(folder), format }
    return (await openStream(this.#asking, { request, about: folder, head: replies.nothing })).stream
  }

  /** Unpacks a zip, tar, tar.gz, tar.zst or tar.xz of the home into a folder of the home. Nothing appears there before all of it was checked. */
  async extract(archive: OwnerPath, dest: OwnerPath, options: ExtractOptions = {}): Promise<ExtractNote> {
    const request: Call = { op: 'extract', archive: toBytes(archive), dest: toBytes(dest), limits: { ...defaultLimits, ...options.limits } }
    const onNote = (note: unknown) => {
      if (replies.note.Check(note)) options.onProgress?.(note)
    }
    return this.#asking.ask({ request, reply: replies.note, about: archive, also: [dest], signal: options.signal, onNote })
  }
}
