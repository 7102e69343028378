import { once } from 'node:events'
import { symlink, unlink } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Refusal, type ByteString, type ExtractLimits } from './calls.ts'
import { local, raw, unfinishedName } from './paths.ts'
import { Listing, type ListedEntry } from './seven-zip-listing.ts'
import { sevenZip } from './seven-zip.ts'
import type { CallRun } from './session.ts'
import { blockBytes, renderHeader } from './tar-headers.ts'
import { type TarRules, unreadTarget } from './tar-rules.ts'
import { killGroup, runTool, startTool, messageOf } from './tool.ts'

interface Packed {
  readonly path: ByteString
  readonly archiveBytes: number
  readonly limits: ExtractLimits
  readonly seen: { readBytes: number }
}

// An empty password, so that 7-Zip does not prompt for one.
const always = ['-t7z', '-p', '-bd', '-y', '-sccUTF-8']
const maxLinkBytes = 4000

/** Lists a 7z archive, then converts the output of 7-Zip to a tar archive of the entries that the rules admit: 7-Zip itself creates no file. */
export async function* filterSevenZip(packed: Packed, rules: TarRules, run: CallRun): AsyncGenerator<Buffer> {
  const program = sevenZip()
  await using alias = await aliasOf(packed)
  yield* unpacked(program, alias.name, await list(program, alias.name, packed, run), packed, rules)
}

/** Admits the entries as 7-Zip lists them; neither content nor link targets are read. */
export async function admitSevenZip(packed: Packed, rules: TarRules, run: CallRun): Promise<void> {
  await using alias = await aliasOf(packed)
  for (const { header } of await list(sevenZip(), alias.name, packed, run))
    rules.admit(header.type === '2' ? { ...header, linkName: unreadTarget } : header)
}

// Under a name of our own, as Node passes arguments only as UTF-8.
async function aliasOf({ path }: Packed): Promise<AsyncDisposable & { readonly name: string }> {
  const name = `${unfinishedName()}.7z`
  await symlink(raw(path), local(name))
  return { name, [Symbol.asyncDispose]: () => unlink(local(name)) }
}

async function list(
  program: string,
  alias: ByteString,
  { limits }: Packed,
  run: CallRun,
): Promise<readonly ListedEntry[]> {
  const listing = new Listing(limits.maxEntries)
  const stop = new AbortController()
  let refusal: unknown
  const onOutput = (part: Buffer) => {
    try {
      if (refusal === undefined) listing.push(part)
    } catch (error) {
      refusal = error
      stop.abort()
    }
  }
  const signal = AbortSignal.any([run.signal, stop.signal])
  const ended = await runTool(
    program,
    ['l', '-slt', '-ba', ...always, '--', alias],
    { onOutput },
    { signal },
  ).catch((error: unknown) => {
    throw refusal ?? error
  })
  if (/password|encrypted/i.test(ended.message))
    throw new Refusal('REFUSED', undefined, 'it is encrypted, and encrypted archives are not supported')
  if (ended.code !== 0) throw new Refusal('REFUSED', undefined, 'it is not a complete 7z archive')
  listing.end()
  if (listing.entries.length === 0) throw new Refusal('REFUSED', undefined, 'it contains no entries')
  return listing.entries
}

async function* unpacked(
  program: string,
  alias: ByteString,
  entries: readonly ListedEntry[],
  packed: Packed,
  rules: TarRules,
): AsyncGenerator<Buffer> {
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  const tool = startTool(program, ['x', '-so', ...always, '--', alias])
  const ended = once(tool, 'close').then(
    ([code]) => code as number | null,
    () => null,
  )
  const message = messageOf(tool)
  tool.stdin.on('error', () => {})
  tool.stdin.end()
  const output = new Output(tool.stdout, (size) => {
    packed.seen.readBytes += (size / total) * packed.archiveBytes
  })
  try {
    for (const entry of entries) yield* one(entry, output, rules)
    if (!(await output.isOver()) || (await ended) !== 0) throw new EndedEarly()
    packed.seen.readBytes = packed.archiveBytes
    yield Buffer.alloc(2 * blockBytes)
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error
    killGroup(tool.pid)
    await ended
    throw failureOf(message())
  } finally {
    killGroup(tool.pid)
  }
}

async function* one(
  { header, size, crc }: ListedEntry,
  output: Output,
  rules: TarRules,
): AsyncGenerator<Buffer> {
  const isLink = header.type === '2'
  const admitted = rules.admit(
    isLink ? { ...header, linkName: await linkTarget(output, size, header.name) } : header,
  )
  if (admitted !== undefined) yield renderHeader(admitted)
  if (isLink || size === 0) return
  let sum = 0
  for await (const part of output.take(size)) {
    sum = crc32(part, sum)
    yield part
  }
  if (crc !== undefined && sum !== crc) throw damaged(header.name)
  yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

async function linkTarget(output: Output, size: number, name: ByteString): Promise<ByteString> {
  if (size === 0 || size > maxLinkBytes) throw new Refusal('REFUSED', name, 'a link without a valid target')
  const parts: Buffer[] = []
  for await (const part of output.take(size)) parts.push(part)
  return Buffer.concat(parts).toString('latin1')
}

function damaged(name?: ByteString): Refusal {
  return new Refusal('REFUSED', name, 'the data are damaged')
}

/** 7-Zip output less than the listing states, or failed after it: its message gives the reason. */
class EndedEarly extends Error {}

function failureOf(message: string): Refusal {
  if (/allocate|memory/i.test(message))
    return new Refusal('REFUSED', undefined, 'unpacking it needs more memory than the panel allows')
  if (/Unsupported Method/i.test(message))
    return new Refusal('REFUSED', undefined, 'an unsupported compression method')
  return damaged()
}

/** The output of a program, split where an entry ends according to the listing. */
class Output {
  readonly #source: AsyncIterator<Buffer>
  readonly #took: (sizeBytes: number) => void
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>, took: (sizeBytes: number) => void) {
    this.#source = source[Symbol.asyncIterator]()
    this.#took = took
  }

  async *take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0 && (await this.isOver())) throw new EndedEarly()
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      this.#took(part.length)
      yield part
    }
  }

  async isOver(): Promise<boolean> {
    if (this.#rest.length > 0) return false
    const next = await this.#source.next()
    if (next.done === true) return true
    this.#rest = next.value
    return false
  }
}
