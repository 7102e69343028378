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
  /** The required size of the upload before this part; otherwise nothing happens. */
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

/** Uploads in parts in a hosting user's home: a hidden file collects the parts, survives every restart, and is moved to its destination when it is complete. */
export class OwnerUploads {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Returns the upload of this name (lower-case letters, digits and `-`) for the file at `path`. Nothing happens until one of its methods is called. */
  of(name: string, path: OwnerPath): PartialUpload {
    return new PartialUpload(this.#asking, name, path)
  }
}

/** One upload in progress. */
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

  /** Starts it; fails with DiskFull if there is no space for `sizeBytes`. */
  async open(sizeBytes: number): Promise<void> {
    const { free } = await this.#ask({ verb: 'open', size: sizeBytes }, { reply: replies.uploadRoom })
    this.#refuseWithout(free, sizeBytes)
  }

  /** Returns if it was started, and the free space in bytes; fails as `open` does if that is less than `sizeBytes`. */
  async look(sizeBytes = 0): Promise<{ readonly isOpen: boolean; readonly free: number }> {
    const looked = await this.#ask({ verb: 'look' }, { reply: replies.uploadLook })
    this.#refuseWithout(looked.free, sizeBytes)
    return looked
  }

  /** Returns the number of bytes on the disk, synced; 0 if there is no upload. */
  async size(): Promise<number> {
    return (await this.#ask({ verb: 'size' }, { reply: replies.uploadSize })).size
  }

  /** Appends a part; it is on the disk when this resolves. The received bytes of a truncated part stay, unless it has a checksum. A full disk removes the whole upload. */
  async append(source: Readable | Uint8Array, { signal, ...part }: PartOptions): Promise<Appended> {
    const body = source instanceof Uint8Array ? [source] : source
    return this.#ask(
      { verb: 'append', ...part },
      { reply: replies.uploadPart, signal, during: (pending) => sendBody(pending, body) },
    )
  }

  /** Checks the whole upload: its size, and its SHA-256 in hex if one is given. On a different checksum it is removed. */
  async seal(
    sizeBytes: number,
    options: { readonly sha256?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Sealed> {
    const { sha256, signal } = options
    const verb = { verb: 'seal' as const, size: sizeBytes, ...(sha256 !== undefined && { sha256 }) }
    return this.#ask(verb, { reply: replies.uploadSealed, signal, onNote: () => {} })
  }

  /** Moves it to its destination atomically; this ends the upload. */
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

  /** Truncates the upload to `sizeBytes`; with 0, the default, it is removed. */
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
