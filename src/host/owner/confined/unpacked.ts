import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { type ArchiveKind, kindOf } from './archive-kinds.ts'
import { Refusal, type ByteString, type ExtractLimits } from './calls.ts'
import { admitSevenZip, filterSevenZip } from './seven-zip-filter.ts'
import type { CallRun } from './session.ts'
import { filterTar } from './tar-filter.ts'
import { blockBytes } from './tar-headers.ts'
import type { TarRules } from './tar-rules.ts'
import { killGroup, startTool, messageOf } from './tool.ts'
import { admitZip, filterZip } from './zip-filter.ts'

export interface Packed {
  readonly path: ByteString
  readonly limits: ExtractLimits
  readonly archive: FileHandle
  readonly archiveBytes: number
  readonly seen: { readBytes: number }
}

const chunkSize = 256 * 1024
/** Lets a thread decompress the next chunks while we process one: without buffer space it would wait. */
const ahead = { chunkSize, readableHighWaterMark: 4 * chunkSize }

/** Converts an archive of any supported kind to a tar archive of the entries that the rules admit. The archive's first bytes determine its kind, not its name. */
export async function* openArchive(
  packed: Packed,
  rules: TarRules,
  watch: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>,
  run: CallRun,
): AsyncGenerator<Buffer> {
  const kind = await kindOfFile(packed)
  if (kind === 'zip') return yield* watch(filterZip(packed, rules))
  if (kind === '7z') return yield* watch(filterSevenZip(packed, rules, run))
  yield* filterTar(watch(tarBytes(kind, fileBytes(packed))), rules)
}

/**
 * As `openArchive`, for the entries alone: those of a zip or 7z archive are admitted from its directory, without their content and the targets
 * of links, and nothing is returned for them.
 */
export async function* openDirectory(
  packed: Packed,
  rules: TarRules,
  watch: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>,
  run: CallRun,
): AsyncGenerator<Buffer> {
  const kind = await kindOfFile(packed)
  if (kind === 'zip') return void (await admitZip(packed, rules))
  if (kind === '7z') return void (await admitSevenZip(packed, rules, run))
  yield* filterTar(watch(tarBytes(kind, fileBytes(packed))), rules)
}

async function kindOfFile({ archive }: Packed): Promise<ArchiveKind> {
  const start = Buffer.alloc(blockBytes)
  const { bytesRead } = await archive.read(start, 0, start.length, 0)
  return kindOf(start.subarray(0, bytesRead))
}

function tarBytes(
  kind: 'gzip' | 'zstd' | 'xz' | 'tar',
  source: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (kind === 'gzip') return through(source, createGunzip(ahead))
  if (kind === 'zstd') return through(source, createZstdDecompress(ahead))
  return kind === 'xz' ? throughXz(source) : source
}

async function* fileBytes({ archive, seen }: Packed): AsyncGenerator<Buffer> {
  for (;;) {
    const part = Buffer.allocUnsafeSlow(chunkSize)
    const { bytesRead } = await archive.read(part, 0, part.length, seen.readBytes)
    if (bytesRead === 0) return
    seen.readBytes += bytesRead
    yield part.subarray(0, bytesRead)
  }
}

async function* through(source: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const raw = Readable.from(source, { objectMode: true, highWaterMark: 1 })
  raw.on('error', (error) => transform.destroy(error))
  try {
    yield* raw.pipe(transform)
  } finally {
    raw.destroy()
    transform.destroy()
  }
}

async function* throughXz(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const xz = startTool('xz', ['--decompress', '--stdout', '--memlimit-decompress=512MiB'])
  const message = messageOf(xz)
  const ended = exitOf(xz)
  let failure: unknown
  const raw = Readable.from(source, { objectMode: true, highWaterMark: 1 })
  raw.on('error', (error) => {
    failure = error
    killGroup(xz.pid)
  })
  xz.stdin.on('error', () => {}) // it ended early: its exit code gives the reason
  raw.pipe(xz.stdin)
  try {
    yield* xz.stdout
    const code = await ended
    if (failure !== undefined) throw failure
    if (code !== 0) throw failureOfXz(message())
  } finally {
    raw.destroy()
    killGroup(xz.pid)
  }
}

function failureOfXz(message: string): Refusal {
  if (message.includes('Memory usage limit'))
    return new Refusal('REFUSED', undefined, 'it takes more than 512 MiB of memory to unpack')
  if (message.includes('Unsupported'))
    return new Refusal('REFUSED', undefined, 'it was packed with options that are not supported')
  return new Refusal('REFUSED', undefined, 'the compressed data are damaged')
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  return once(child, 'close').then(
    ([code]) => code as number | null,
    () => null,
  )
}
