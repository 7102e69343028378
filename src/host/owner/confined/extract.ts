import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { about, failureOf, Refusal, type ByteString, type ExtractCall, type ExtractNote } from './calls.ts'
import { mergeTree } from './merge.ts'
import { local, unfinishedName } from './paths.ts'
import { bare } from './place.ts'
import { beating, noting } from './progress.ts'
import { removeLeftover } from './list.ts'
import type { CallRun } from './session.ts'
import { TarRules } from './tar-rules.ts'
import { openArchive } from './unpacked.ts'

const ratioFreeBytes = 64 * 1024 * 1024
const gatheredBytes = 128 * 1024

/** Unpacks zip, 7z, and tar plain or compressed by gzip, zstd or xz: the checked stream goes through tar into a scratch folder, and the finished tree takes its place. */
export async function extractArchive(call: ExtractCall, run: CallRun): Promise<ExtractNote> {
  const scratch = unfinishedName()
  await using archive = await open(local(call.archive), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY).catch(about(call.archive))
  const found = await archive.stat()
  if (!found.isFile()) throw new Refusal(found.isDirectory() ? 'EISDIR' : 'NOTREGULAR', call.archive)
  const rules = new TarRules(call.limits)
  const seen = { readBytes: 0, unpackedBytes: 0 }
  const note = (): ExtractNote => ({ entries: rules.entries, bytes: rules.bytes, readBytes: Math.round(seen.readBytes), archiveBytes: found.size })
  const stopNoting = noting(run, note)
  try {
    await mkdir(local(scratch), { mode: 0o755 }).catch(about(call.dest))
    const packed = { path: bare(call.archive), limits: call.limits, archive, archiveBytes: found.size, seen }
    await unpack(
      openArchive(packed, rules, (source) => watched(source, call, seen, run), run),
      scratch,
      run,
    )
    await mergeTree(scratch, call, run, beating(run, note))
    return note()
  } catch (error) {
    throw explained(error, call.archive)
  } finally {
    stopNoting()
    await removeLeftover(scratch)
  }
}

async function* watched(
  source: AsyncIterable<Buffer>,
  call: ExtractCall,
  seen: { readBytes: number; unpackedBytes: number },
  run: CallRun,
): AsyncGenerator<Buffer> {
  for await (const part of source) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    seen.unpackedBytes += part.length
    if (seen.unpackedBytes > ratioFreeBytes && seen.unpackedBytes > seen.readBytes * call.limits.maxRatio) {
      throw new Refusal('REFUSED', undefined, `it unpacks to more than ${call.limits.maxRatio} times its size`)
    }
    yield part
  }
}

async function unpack(stream: AsyncGenerator<Buffer>, scratch: ByteString, run: CallRun): Promise<void> {
  const args = ['--extract', '--file=-', `--directory=${scratch}`, '--no-same-owner', '--blocking-factor=512', '--delay-directory-restore']
  const tar = spawn('/usr/bin/tar', args, { stdio: ['pipe', 'ignore', 'pipe'], env: {} })
  let words = ''
  tar.stderr.on('data', (part: Buffer) => {
    words = (words + part.toString('latin1')).slice(0, 4000)
  })
  const ended = once(tar, 'close').then(
    ([code]) => code as number | null,
    (error: unknown) => {
      words ||= String(error)
      return null
    },
  )
  const kill = () => void tar.kill('SIGKILL')
  run.signal.addEventListener('abort', kill, { once: true })
  const failure = await pipeline(Readable.from(gathered(stream), { objectMode: true, highWaterMark: 2 }), tar.stdin).then(
    () => undefined,
    (error: unknown) => error,
  )
  const isTarsOwn = failure === undefined || failureOf(failure).code === 'EPIPE'
  if (!isTarsOwn) kill()
  const code = await ended
  run.signal.removeEventListener('abort', kill)
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  if (!isTarsOwn) throw failure
  if (/No space left on device|Disk quota exceeded|Wrote only/.test(words)) throw await fullDisk(scratch, words)
  if (code !== 0) throw new Refusal('REFUSED', undefined, `tar: ${words.split('\n')[0] ?? ''}`.slice(0, 300))
}

// Headers and small files one by one would cost a system call each.
async function* gathered(stream: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let [parts, size]: [Buffer[], number] = [[], 0]
  for await (const part of stream) {
    parts.push(part)
    size += part.length
    if (size < gatheredBytes) continue
    yield parts.length === 1 ? part : Buffer.concat(parts)
    ;[parts, size] = [[], 0]
  }
  yield Buffer.concat(parts)
}

// tar does not say why a write was short: one more write does.
async function fullDisk(scratch: ByteString, words: string): Promise<Refusal> {
  const error = await writeFile(local(`${scratch}/probe`), Buffer.alloc(1024 * 1024)).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const isQuota = words.includes('quota') || (error !== undefined && failureOf(error).code === 'EDQUOT')
  return new Refusal(isQuota ? 'EDQUOT' : 'ENOSPC')
}

function explained(error: unknown, archive: ByteString): unknown {
  const failure = failureOf(error)
  if (/^(Z_|ZSTD_|ERR__?ZLIB|ERR_ZSTD)/.test(failure.code)) return new Refusal('REFUSED', archive, 'the compressed data are damaged')
  if (failure.code === 'REFUSED')
    return new Refusal('REFUSED', archive, failure.path === undefined ? failure.why : `${failure.why} (${shown(failure.path)})`)
  return error
}

function shown(path: ByteString): string {
  return Buffer.from(path, 'latin1').toString('utf8').slice(0, 200)
}
