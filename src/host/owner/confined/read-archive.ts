import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString, type ExtractNote, type LookCall } from './calls.ts'
import { local } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import type { CallRun } from './session.ts'
import type { TarRules } from './tar-rules.ts'
import { openArchive } from './unpacked.ts'

const ratioFreeBytes = 64 * 1024 * 1024
/** The overhead of an entry in a tar archive: its header, its exact time, and padding. Other formats store less, or compress it to nothing. */
const framingBytes = 2048

/** The default window limit of the zstd library, as of the zstd program. */
const windowTooLarge =
  'it was packed with a window of more than 128 MiB (zstd --long above 27), which is not supported'

type Asked = Pick<LookCall, 'archive' | 'limits'>

/** Opens an archive for `work` as a tar archive of the entries that the rules admit, within the limits; reports progress meanwhile. */
export async function readArchive<Result>(
  call: Asked,
  run: CallRun,
  rules: TarRules,
  work: (stream: AsyncGenerator<Buffer>, note: () => ExtractNote) => Promise<Result>,
  openPacked: typeof openArchive = openArchive,
): Promise<Result> {
  await using archive = await open(
    local(call.archive),
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
  ).catch(about(call.archive))
  const found = await archive.stat()
  if (!found.isFile()) throw new Refusal(found.isDirectory() ? 'EISDIR' : 'NOTREGULAR', call.archive)
  const seen = { readBytes: 0, unpackedBytes: 0 }
  const note = (): ExtractNote => ({
    entries: rules.entries,
    bytes: rules.bytes,
    readBytes: Math.round(seen.readBytes),
    archiveBytes: found.size,
  })
  const stopNoting = noting(run, note)
  try {
    const packed = { path: bare(call.archive), limits: call.limits, archive, archiveBytes: found.size, seen }
    const stream = openPacked(packed, rules, (source) => watched(source, { call, seen, rules, run }), run)
    return await work(stream, note)
  } catch (error) {
    throw explained(error, call.archive)
  } finally {
    stopNoting()
  }
}

interface Watched {
  readonly call: Asked
  readonly seen: { readBytes: number; unpackedBytes: number }
  readonly rules: TarRules
  readonly run: CallRun
}

async function* watched(
  source: AsyncIterable<Buffer>,
  { call, seen, rules, run }: Watched,
): AsyncGenerator<Buffer> {
  for await (const part of source) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    seen.unpackedBytes += part.length
    refuseRatio(seen, rules.entries, call.limits.maxRatio)
    yield part
  }
}

/** Refuses an archive that unpacks to too many times the bytes that were read of it. */
export function refuseRatio(
  { readBytes, unpackedBytes }: Watched['seen'],
  entries: number,
  maxRatio: number,
): void {
  if (unpackedBytes <= ratioFreeBytes + entries * framingBytes || unpackedBytes <= readBytes * maxRatio)
    return
  throw new Refusal('REFUSED', undefined, `it unpacks to more than ${maxRatio} times its size`)
}

/** Explains a failure of reading in terms of the archive, and names the entry that it is about. */
export function explained(error: unknown, archive: ByteString): unknown {
  const failure = failureOf(error)
  if (failure.code === 'ZSTD_error_frameParameter_windowTooLarge')
    return new Refusal('REFUSED', archive, windowTooLarge)
  if (/^(Z_|ZSTD_|ERR__?ZLIB|ERR_ZSTD)/.test(failure.code))
    return new Refusal('REFUSED', archive, 'the compressed data are damaged')
  if (failure.code === 'REFUSED')
    return new Refusal(
      'REFUSED',
      archive,
      failure.path === undefined ? failure.why : `${failure.why} (${shown(failure.path)})`,
    )
  return error
}

function shown(path: ByteString): string {
  return Buffer.from(path, 'latin1').toString('utf8').slice(0, 200)
}
