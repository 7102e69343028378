import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { about, failureOf, Refusal, type ByteString, type ExtractCall, type ExtractNote } from './calls.ts'
import { closingFolders } from './closed-folders.ts'
import { removeLeftover } from './list.ts'
import { mergeTree } from './merge.ts'
import { local, unfinishedName } from './paths.ts'
import { bare } from './place.ts'
import { beating } from './progress.ts'
import { readArchive } from './read-archive.ts'
import type { CallRun } from './session.ts'
import { TarRules } from './tar-rules.ts'

const gatheredBytes = 128 * 1024
/** The modes follow our rules, regardless of the umask; tar does not warn of implausible times. */
const tarArgs = [
  '--extract',
  '--file=-',
  '--no-same-owner',
  '--same-permissions',
  '--blocking-factor=512',
  '--delay-directory-restore',
  '--warning=no-timestamp',
]

/** Unpacks zip, 7z, and tar plain or compressed by gzip, zstd or xz: the checked stream goes through tar into a temporary folder, and the complete tree is moved to its destination. */
export async function extractArchive(call: ExtractCall, run: CallRun): Promise<ExtractNote> {
  const rules = new TarRules(call.limits)
  return readArchive(call, run, rules, async (stream, note) => {
    const scratch = unfinishedName()
    try {
      await mkdir(local(scratch), { mode: 0o755 }).catch(about(call.dest))
      await unpack(stream, scratch, run)
      const beat = beating(run, note)
      const close = await closingFolders(scratch, rules.closedFolders, beat)
      await mergeTree(scratch, call, run, beat).finally(() => close(bare(call.dest), beat)) // also the folders that were moved before it failed
      return note()
    } finally {
      await removeLeftover(scratch)
    }
  })
}

async function unpack(stream: AsyncGenerator<Buffer>, scratch: ByteString, run: CallRun): Promise<void> {
  const tar = spawn('/usr/bin/tar', [...tarArgs, `--directory=${scratch}`], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  })
  let message = ''
  tar.stderr.on('data', (part: Buffer) => {
    message = (message + part.toString('latin1')).slice(0, 4000)
  })
  const ended = once(tar, 'close').then(
    ([code]) => code as number | null,
    (error: unknown) => {
      message ||= String(error)
      return null
    },
  )
  const kill = () => void tar.kill('SIGKILL')
  run.signal.addEventListener('abort', kill, { once: true })
  if (run.signal.aborted) kill()
  const failure = await pipeline(
    Readable.from(gathered(stream), { objectMode: true, highWaterMark: 2 }),
    tar.stdin,
  ).then(
    () => undefined,
    (error: unknown) => error,
  )
  const isTarsOwn = failure === undefined || failureOf(failure).code === 'EPIPE'
  if (!isTarsOwn) kill()
  const code = await ended
  run.signal.removeEventListener('abort', kill)
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  if (!isTarsOwn) throw failure
  if (/No space left on device|Disk quota exceeded|Wrote only/.test(message))
    throw await fullDisk(scratch, message)
  if (code !== 0)
    throw new Refusal('REFUSED', undefined, `tar: ${message.split('\n')[0] ?? ''}`.slice(0, 300))
}

// Writing headers and small files singly would cost a system call each.
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

// tar does not report the reason of a short write: one more write finds it.
async function fullDisk(scratch: ByteString, message: string): Promise<Refusal> {
  const error = await writeFile(local(`${scratch}/probe`), Buffer.alloc(1024 * 1024)).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const isQuota = message.includes('quota') || (error !== undefined && failureOf(error).code === 'EDQUOT')
  return new Refusal(isQuota ? 'EDQUOT' : 'ENOSPC')
}
