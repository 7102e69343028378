import type { Readable } from 'node:stream'
import { replyLimits, type Asking, type Question } from './asking.ts'
import type { Appended, Sealed, UploadCall } from './confined/upload-calls.ts'
import { shown, toBytes, type OwnerPath } from './paths.ts'
import { DiskFull } from './problems.ts'
import { replies } from './replies.ts'
import { sendBody } from './send-body.ts'

type Verb = UploadCall extends infer Call
  ? Call extends UploadCall
    ? Omit<Call, 'op' | 'name'>
    : never
  : never

interface PartOptions {
  /** How long the upload must be before this part; otherwise nothing happens. */
  readonly offset: number
  readonly maxBytes: number
  readonly sha256?: string
  readonly signal?: AbortSignal
}

interface PlaceOptions {
  readonly ifMatch?: string
  readonly ifAbsent?: boolean
  readonly signal?: AbortSignal
}

/** Uploads in parts in a hosting user's home: a hidden file takes the parts, outlives every restart, and takes its place when it is whole. */
export class OwnerUploads {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** The upload of this name (lower-case letters, digits and `-`), which is to become the file at `path`. Nothing happens before it is asked for something. */
  of(name: string, path: OwnerPath): PartialUpload {
    return new PartialUpload(this.#asking, name, path)
  }
}

/** One upload, as far as it has come. */
export class PartialUpload {
  readonly #asking: Asking
  readonly #name: string
  readonly #path: OwnerPath

  constructor(asking: Asking, name: string, path: OwnerPath) {
    this.#asking = asking
    this.#name = name
    this.#path = path
    toBytes(path)
  }

  /** Begins it; fails with DiskFull where there is no room for `sizeBytes`. */
  async open(sizeBytes: number): Promise<void> {
    const { free } = await this.#ask({ verb: 'open', size: sizeBytes }, { reply: replies.uploadRoom })
    this.#refuseWithout(free, sizeBytes)
  }

  /** Whether it was begun, and how many bytes there is room for; fails as `open` where that is less than `sizeBytes`. */
  async look(sizeBytes = 0): Promise<{ readonly isOpen: boolean; readonly free: number }> {
    const looked = await this.#ask({ verb: 'look' }, { reply: replies.uploadLook })
    this.#refuseWithout(looked.free, sizeBytes)
    return looked
  }

  /** How many bytes lie on the disk, synced; 0 where there is none. */
  async size(): Promise<number> {
    return (await this.#ask({ verb: 'size' }, { reply: replies.uploadSize })).size
  }

  /** Adds a part; it is on the disk when this resolves. Cut off, what came stays, unless it has a checksum. A full disk removes all of it. */
  async append(source: Readable | Uint8Array, { signal, ...part }: PartOptions): Promise<Appended> {
    const body = source instanceof Uint8Array ? [source] : source
    return this.#ask(
      { verb: 'append', ...part },
      { reply: replies.uploadPart, signal, during: (pending) => sendBody(pending, body) },
    )
  }

  /** Checks the whole: its size, and its SHA-256 in hex where one is given. With another checksum it is removed. */
  async seal(
    sizeBytes: number,
    options: { readonly sha256?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Sealed> {
    const { sha256, signal } = options
    const verb = { verb: 'seal' as const, size: sizeBytes, ...(sha256 !== undefined && { sha256 }) }
    return this.#ask(verb, { reply: replies.uploadSealed, signal, onNote: () => {} })
  }

  /** Gives it its place, at once; the upload is over then. */
  async place({ ifMatch, ifAbsent = false, signal }: PlaceOptions = {}): Promise<{
    readonly etag: string
    readonly size: number
    readonly created: boolean
  }> {
    const verb = {
      verb: 'place' as const,
      path: toBytes(this.#path),
      ifAbsent,
      ...(ifMatch !== undefined && { ifMatch }),
    }
    return this.#ask(verb, { reply: replies.written, signal, onNote: () => {} })
  }

  /** Drops what is beyond `sizeBytes`; with 0, as is the default, the upload is gone. */
  async cut(sizeBytes = 0): Promise<void> {
    await this.#ask({ verb: 'cut', size: sizeBytes }, { reply: replies.nothing })
  }

  #refuseWithout(free: number, sizeBytes: number): void {
    if (free < sizeBytes)
      throw DiskFull(
        `${shown(this.#path)}: the disk that holds the home has room for ${free} bytes, not for ${sizeBytes}`,
      )
  }

  #ask<T>(verb: Verb, question: Omit<Question<T>, 'request' | 'about'>): Promise<T> {
    return this.#asking.ask({
      request: { op: 'upload', name: this.#name, ...verb },
      about: this.#path,
      limit: replyLimits.small,
      ...question,
    })
  }
}
