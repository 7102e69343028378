import type { Readable } from 'node:stream'
import type { Owner } from '../../host/owner/index.ts'
import { outputOf } from '../program-output.ts'
import { packingOf, sniffedBytes } from './packing.ts'
import { NotSql } from './problems.ts'

/** A file of a home that contains SQL. */
export interface SqlFile {
  readonly owner: Owner
  /** Relative to the home. */
  readonly path: string
  /** A folder of the home for what a zip contains. */
  readonly scratch: string
  /** Refuses text that is not for the server by its beginning; returns the beginning without a byte order mark. */
  readonly checkedStart: (start: Buffer) => Buffer
}

/** The SQL text of a file. */
export interface SqlSource {
  readonly text: AsyncIterable<Buffer>
  /** Of the text; undefined if that is not known. */
  readonly sizeBytes: number | undefined
}

/** Text may have this many times the size of its archive. Dumps that compress better are smaller than the allowance. */
const mostRatio = 200
const allowanceBytes = 256 * 1024 * 1024
const limitMs = 12 * 3_600_000

/** Opens the SQL text of a file, unpacked under the owner's uid. The text fails where it is not SQL. */
export async function openSource(file: SqlFile, signal: AbortSignal): Promise<SqlSource> {
  const { owner, path, checkedStart } = file
  const start = await partOf(owner, path, { start: 0, end: sniffedBytes })
  const { size_bytes: packedBytes } = await owner.stat(path)
  const packing = packingOf(start)
  if (packing === 'plain') {
    checkedStart(start)
    return { text: checked(file, () => contentOf(owner, path), Infinity), sizeBytes: packedBytes }
  }
  const limit = Math.max(allowanceBytes, packedBytes * mostRatio)
  if (packing === 'zip') return openZip(file, limit, signal)
  const sizeBytes = await unpackedSize(owner, path, packedBytes)
  return { text: checked(file, () => unzipped(file, signal), limit), sizeBytes }
}

/** Removes what `openSource` has unpacked. */
export async function closeSource({ owner, scratch }: Pick<SqlFile, 'owner' | 'scratch'>): Promise<void> {
  const folder = { field: 'file', path: scratch }
  const [found] = await owner.list('db', { search: nameOf(scratch), showHidden: true }).then(
    ({ items }) => items,
    () => [],
  )
  if (found !== undefined) await owner.remove([folder], { recursive: true })
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? path

/** Passes text on, from its checked start to its limit. Nothing is opened before the text is read: nobody would listen to a failure. */
async function* checked(
  { checkedStart }: SqlFile,
  open: () => Readable | Promise<Readable>,
  limit: number,
): AsyncGenerator<Buffer> {
  let size = 0
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of await open()) {
    const bytes: Buffer = Buffer.from(chunk)
    size += bytes.length
    if (size > limit)
      throw NotSql(`file: it unpacks to more than ${limit} bytes, which is far beyond the size of a dump`)
    if (first === undefined) yield bytes
    else {
      first = Buffer.concat([first, bytes])
      if (first.length < sniffedBytes) continue
      yield checkedStart(first)
      first = undefined
    }
  }
  if (first !== undefined) yield checkedStart(first)
}

const unzipped = ({ owner, path }: SqlFile, signal: AbortSignal): Readable =>
  outputOf(
    (limits) =>
      owner.run(['/usr/bin/gzip', '--decompress', '--stdout', '--', `./${path}`], {
        ...limits,
        timeoutMs: limitMs,
      }),
    ({ stderr }) => NotSql(`file: it cannot be unpacked: ${stderr.trim().slice(0, 300)}`),
    signal,
  )

/** The last four bytes of a gzip file say its unpacked size, as far as that is below 4 GiB. */
async function unpackedSize(owner: Owner, path: string, packedBytes: number): Promise<number | undefined> {
  const end = await partOf(owner, path, { start: Math.max(0, packedBytes - 4), end: packedBytes })
  const size = end.length === 4 ? end.readUInt32LE() : 0
  return size > packedBytes ? size : undefined
}

async function openZip(file: SqlFile, limit: number, signal: AbortSignal): Promise<SqlSource> {
  const { owner, path, scratch } = file
  const { items } = await owner.archives.entries(path, { signal })
  const [entry, second] = items.filter(({ type }) => type === 'file')
  if (entry === undefined || second !== undefined) throw NotSql('file: a zip must contain one file, the dump')
  await owner.archives.extract(path, scratch, { signal, limits: { maxBytes: limit } })
  const unpacked = `${scratch}/${entry.path}`
  if (packingOf(await partOf(owner, unpacked, { start: 0, end: 4 })) !== 'plain')
    throw NotSql('file: the file in the zip is packed once more')
  return { text: checked(file, () => contentOf(owner, unpacked), limit), sizeBytes: entry.size_bytes }
}

const contentOf = async (owner: Owner, path: string): Promise<Readable> => (await owner.read(path)).stream

async function partOf(
  owner: Owner,
  path: string,
  range: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  const { stream } = await owner.read(path, range)
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
