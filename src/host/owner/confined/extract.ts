import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { failureOf, Refusal, type ByteString, type ExtractCall, type ExtractNote } from './calls.ts'
import { mergeTree } from './merge.ts'
import { local, unfinishedName } from './paths.ts'
import type { CallRun } from './session.ts'
import { filterTar } from './tar-filter.ts'
import { TarRules } from './tar-rules.ts'

const ratioFreeBytes = 64 * 1024 * 1024

/** Unpacks tar or tar.gz: the checked stream goes through tar into a scratch folder, and the finished tree takes its place. */
export async function extractArchive(call: ExtractCall, run: CallRun): Promise<ExtractNote> {
  const scratch = unfinishedName()
  await using archive = await open(local(call.archive), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  const found = await archive.stat()
  if (!found.isFile()) throw new Refusal(found.isDirectory() ? 'EISDIR' : 'NOTREGULAR', call.archive)
  const rules = new TarRules(call.limits)
  const seen = { readBytes: 0, unpackedBytes: 0 }
  const note = (): ExtractNote => ({ entries: rules.entries, bytes: rules.bytes, readBytes: seen.readBytes, archiveBytes: found.size })
  const timer = setInterval(tellProgress(run, note), 200)
  try {
    await mkdir(local(scratch), { mode: 0o755 })
    const isGzip = await startsAsGzip(archive.fd)
    const raw = createReadStream('', { fd: archive.fd, autoClose: false, start: 0, highWaterMark: 256 * 1024 })
    const unpacked = isGzip ? raw.pipe(createGunzip({ chunkSize: 256 * 1024 })) : raw
    raw.on('error', error => unpacked.destroy(error))
    raw.on('data', part => { seen.readBytes += part.length })
    try {
      await unpack(filterTar(watched(unpacked, call, seen, run), rules), scratch, run)
    } finally {
      raw.destroy()
      unpacked.destroy()
    }
    await mergeTree(scratch, call.dest, run)
    return note()
  } catch (error) {
    throw explained(error, call.archive)
  } finally {
    clearInterval(timer)
    await rm(local(scratch), { recursive: true, force: true })
  }
}

async function startsAsGzip(fd: number): Promise<boolean> {
  const magic = Buffer.alloc(2)
  for await (const part of createReadStream('', { fd, autoClose: false, start: 0, end: 1 })) magic.set(part as Buffer)
  return magic[0] === 0x1f && magic[1] === 0x8b
}

async function* watched(source: Readable, call: ExtractCall, seen: { readBytes: number; unpackedBytes: number }, run: CallRun): AsyncGenerator<Buffer> {
  for await (const part of source as AsyncIterable<Buffer>) {
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
  const tar = spawn('/usr/bin/tar', args, { stdio: ['pipe', 'ignore', 'pipe'], env: {}, signal: run.signal, killSignal: 'SIGKILL' })
  const ended = once(tar, 'close') as Promise<[number | null]>
  let words = ''
  tar.stderr.on('data', (part: Buffer) => { words = (words + part.toString('latin1')).slice(0, 4000) })
  const piped = pipeline(Readable.from(stream, { objectMode: true, highWaterMark: 2 }), tar.stdin)
  const failure = await piped.then(() => undefined, (error: unknown) => error)
  if (failure !== undefined && failureOf(failure).code !== 'EPIPE') tar.kill('SIGKILL')
  const [code] = await ended.catch((error: unknown): [number | null] => { words ||= String(error); return [null] })
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  if (failure instanceof Refusal) throw failure
  if (words.includes('No space left on device')) throw new Refusal('ENOSPC')
  if (words.includes('Disk quota exceeded')) throw new Refusal('EDQUOT')
  if (failure !== undefined && failureOf(failure).code !== 'EPIPE') throw failure
  if (code !== 0) throw new Refusal('REFUSED', undefined, `tar: ${words.split('\n')[0] ?? ''}`.slice(0, 300))
}

// The last note repeats nothing: no note while nothing moves, so that a stuck call shows.
function tellProgress(run: CallRun, note: () => ExtractNote): () => void {
  let last = ''
  return () => {
    const now = JSON.stringify(note())
    if (now !== last) run.note(note())
    last = now
  }
}

function explained(error: unknown, archive: ByteString): unknown {
  const failure = failureOf(error)
  if (failure.code.startsWith('Z_')) return new Refusal('REFUSED', archive, 'the compressed data are damaged')
  if (failure.code === 'REFUSED') return new Refusal('REFUSED', archive, failure.path === undefined ? failure.why : `${failure.why} (${shown(failure.path)})`)
  return error
}

function shown(path: ByteString): string {
  return Buffer.from(path, 'latin1').toString('utf8').slice(0, 200)
}

