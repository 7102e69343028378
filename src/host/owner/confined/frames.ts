/** The frames between the panel and the helper: a header of nine bytes (length, call, kind) and a payload. */
export const kinds = {
  call: 1,
  bytes: 2,
  end: 3,
  credit: 4,
  cancel: 5,
  head: 6,
  note: 7,
  done: 8,
  ready: 9,
} as const

export const headerBytes = 9
export const maxChunkBytes = 256 * 1024
/** The maximum number of bytes of one stream in flight before its reader grants more. */
export const windowBytes = 2 * 1024 * 1024

/** Receives the frames of a FrameReader. */
export interface FrameTarget {
  /** The largest payload this frame may have; undefined refuses the frame. */
  limit(kind: number, call: number): number | undefined
  frame(kind: number, call: number, payload: Buffer): void
  /** A part of a `bytes` frame, as soon as it arrives. */
  bytes(call: number, part: Buffer): void
}

/** The peer violated the protocol. */
export class FrameRefused extends Error {}

/** Encodes a frame. */
export function frame(kind: number, call: number, payload?: Uint8Array): Buffer {
  const size = payload?.length ?? 0
  const made = Buffer.allocUnsafe(headerBytes + size)
  writeHeader(made, kind, call, size)
  if (payload !== undefined) made.set(payload, headerBytes)
  return made
}

/** Encodes a frame with a JSON value. */
export function jsonFrame(kind: number, call: number, value: unknown): Buffer {
  return frame(kind, call, Buffer.from(JSON.stringify(value)))
}

/** Encodes the frame that grants the peer more bytes of a stream. */
export function creditFrame(call: number, sizeBytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32LE(sizeBytes)
  return frame(kinds.credit, call, payload)
}

/** Writes a frame's header at the start of a buffer. */
export function writeHeader(into: Buffer, kind: number, call: number, sizeBytes: number): void {
  into.writeUInt32LE(sizeBytes, 0)
  into.writeUInt32LE(call, 4)
  into[8] = kind
}

/** Splits a stream of bytes into frames; the size of each is checked before any of it is stored. */
export class FrameReader {
  readonly #target: FrameTarget
  #header = Buffer.alloc(headerBytes)
  #headerFill = 0
  #left = 0
  #kind = 0
  #call = 0
  #parts: Buffer[] = []

  constructor(target: FrameTarget) {
    this.#target = target
  }

  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#headerFill < headerBytes) {
        const size = Math.min(headerBytes - this.#headerFill, chunk.length - at)
        chunk.copy(this.#header, this.#headerFill, at, at + size)
        this.#headerFill += size
        at += size
        if (this.#headerFill === headerBytes) this.#open()
        continue
      }
      const part = chunk.subarray(at, at + this.#left)
      at += part.length
      this.#left -= part.length
      if (this.#kind === kinds.bytes) this.#target.bytes(this.#call, part)
      else this.#parts.push(part)
      if (this.#left === 0) this.#close()
    }
  }

  #open(): void {
    this.#left = this.#header.readUInt32LE(0)
    this.#call = this.#header.readUInt32LE(4)
    this.#kind = this.#header[8] ?? 0
    const limit = this.#target.limit(this.#kind, this.#call)
    if (limit === undefined)
      throw new FrameRefused(`a frame of kind ${this.#kind} for call ${this.#call} was not expected`)
    if (this.#left > limit) throw new FrameRefused(`a frame of ${this.#left} bytes, of at most ${limit}`)
    if (this.#kind === kinds.bytes && this.#left === 0) throw new FrameRefused('an empty part of a stream')
    if (this.#left === 0) this.#close()
  }

  #close(): void {
    this.#headerFill = 0
    if (this.#kind === kinds.bytes) return
    const payload = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = []
    this.#target.frame(this.#kind, this.#call, payload)
  }
}
