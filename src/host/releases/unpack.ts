import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** An archive that is damaged, or has something in it that no release has. */
export class ArchiveRefused extends Error {}

/** A gzipped ustar archive, and the empty directory that receives its files. */
export interface Unpacking {
  readonly archive: string
  readonly directory: string
  readonly signal: AbortSignal
  /** Of a program that others release: names may be long, as tar writes them, and links are left out. Default: both are refused. */
  readonly isForeign?: boolean
}

const block = 512
const mostBytes = 1024 ** 3
const mostEntries = 20_000
const mostNameBytes = 16 * 1024

/**
 * Unpacks regular files and directories, and refuses everything else: a link could lead out of the directory, and an extended
 * header could rename what follows.
 */
export async function unpack({ archive, directory, signal, isForeign = false }: Unpacking): Promise<void> {
  const reader = new Entries(directory, isForeign)
  try {
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) await reader.take(chunk)
      },
      { signal },
    )
    reader.assertComplete()
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new ArchiveRefused('the archive is damaged: it is not gzip', { cause: error })
    throw error
  } finally {
    await reader.close()
  }
}

class Entries {
  readonly #directory: string
  readonly #isForeign: boolean
  readonly #longName = new LongName()
  #rest: Buffer = Buffer.alloc(0)
  #file: FileHandle | undefined
  #leftBytes = 0
  #paddingBytes = 0
  #totalBytes = 0
  #count = 0
  #hasEnded = false

  constructor(directory: string, isForeign: boolean) {
    this.#directory = directory
    this.#isForeign = isForeign
  }

  async take(chunk: Buffer): Promise<void> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#rest.length > 0 && !this.#hasEnded) {
      if (this.#leftBytes > 0) await this.#writePart()
      else if (this.#paddingBytes > 0) this.#skipPadding()
      else if (this.#rest.length >= block) await this.#beginEntry(this.#cut(block))
      else return
    }
    if (this.#hasEnded) this.#rest = Buffer.alloc(0)
  }

  assertComplete(): void {
    if (!this.#hasEnded) throw new ArchiveRefused('the archive is damaged: its end is missing')
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  #cut(bytes: number): Buffer {
    const part = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return part
  }

  async #writePart(): Promise<void> {
    const part = this.#cut(Math.min(this.#leftBytes, this.#rest.length))
    if (this.#file === undefined) this.#longName.take(part)
    else await this.#file.writeFile(part)
    this.#leftBytes -= part.length
    if (this.#leftBytes > 0) return
    await this.#file?.sync()
    await this.close()
  }

  #skipPadding(): void {
    this.#paddingBytes -= this.#cut(Math.min(this.#paddingBytes, this.#rest.length)).length
  }

  async #beginEntry(header: Buffer): Promise<void> {
    if (header.every((byte) => byte === 0)) {
      this.#hasEnded = true
      return
    }
    const { name, type, mode, size } = readHeader(header, this.#isForeign ? this.#longName : undefined)
    this.#count += 1
    this.#totalBytes += size
    if (this.#count > mostEntries || this.#totalBytes > mostBytes)
      throw new ArchiveRefused('the archive is larger than any release')
    if (type !== '0' && type !== '5') return this.#expect(size)
    const path = `${this.#directory}/${name}`
    if (type === '5') return void (await mkdir(path, { recursive: true, mode: 0o755 }))
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    this.#file = await open(path, 'wx', 0o600)
    await this.#file.chmod((mode & 0o111) === 0 ? 0o644 : 0o755)
    this.#expect(size)
    if (size === 0) await this.close()
  }

  #expect(size: number): void {
    this.#leftBytes = size
    this.#paddingBytes = (block - (size % block)) % block
  }
}

/** A name of more than 100 characters, which is the content of an entry before that of its file. */
class LongName {
  #type = ''
  #content: Buffer = Buffer.alloc(0)

  begin(type: string, size: number): void {
    if (size > mostNameBytes) throw new ArchiveRefused('the archive contains a name that is too long')
    this.#type = type
    this.#content = Buffer.alloc(0)
  }

  /** Ignores the content of entries that are left out. */
  take(part: Buffer): void {
    if (this.#type !== '') this.#content = Buffer.concat([this.#content, part])
  }

  /** Returns the name of the next entry, once; undefined if its header has it. */
  end(): string | undefined {
    const [type, text] = [this.#type, this.#content.toString('latin1')]
    this.#type = ''
    if (type === 'L') return text.replace(/\0[^]*$/, '')
    return type === 'x' ? /^\d+ path=(.*)$/m.exec(text)?.[1] : undefined
  }
}

/** Types of GNU tar and POSIX.1-2001: a long name, further attributes with the name, attributes of all entries, links. */
const named = new Set(['L', 'x'])
const leftOut = new Set(['g', '1', '2'])

/** POSIX.1-1988 ustar: name at 0, mode at 100, size at 124, checksum at 148, type at 156, prefix at 345. */
function readHeader(header: Buffer, longName: LongName | undefined) {
  const text = (start: number, length: number) =>
    header.toString('latin1', start, start + length).replace(/\0[^]*$/, '')
  const octal = (start: number, length: number) => {
    const digits = text(start, length).trim()
    if (!/^[0-7]{1,12}$/.test(digits))
      throw new ArchiveRefused('the archive is damaged: a header has no number')
    return Number.parseInt(digits, 8)
  }
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  if (text(257, 5) !== 'ustar' || octal(148, 8) !== sum)
    throw new ArchiveRefused('the archive is damaged: a header is not that of a tar archive')
  const prefix = text(345, 155)
  const type = text(156, 1) || '0'
  if (longName !== undefined && named.has(type)) {
    longName.begin(type, octal(124, 12))
    return { name: '', type, mode: 0, size: octal(124, 12) }
  }
  if (longName !== undefined && leftOut.has(type)) {
    if (type !== 'g') longName.end()
    return { name: '', type, mode: 0, size: octal(124, 12) }
  }
  const name = (longName?.end() ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`))
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
  if (type !== '0' && type !== '5')
    throw new ArchiveRefused(`the archive contains ${name}, which is neither a file nor a directory`)
  // the folder itself, which `tar .` packs first
  if (name === '' && type === '5') return { name: '.', type, mode: 0o755, size: 0 }
  const isSafe = /^[\w.@+/ -]+$/.test(name) && name.split('/').every((part) => part !== '' && part !== '..')
  if (!isSafe)
    throw new ArchiveRefused(`the archive contains the path ${name.slice(0, 200)}, which no release has`)
  return { name, type, mode: octal(100, 8), size: type === '5' ? 0 : octal(124, 12) }
}
