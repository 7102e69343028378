import { once } from 'node:events'
import { PassThrough, Readable, type Duplex, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { failureOf, Refusal, type ArchiveFormat, type ByteString } from './calls.ts'
import { join, trash, unfinished, workingFolder } from './paths.ts'
import { codeOfMessage, hasTool, killGroup, startFailure, startTool, messageOf } from './tool.ts'
import type { CallRun } from './session.ts'
import { withoutSpecial } from './pack-tar-entries.ts'

/** The formats that tar and a compressor produce. */
export type TarFormat = Exclude<ArchiveFormat, 'zip' | '7z'>

interface Packing {
  /** The folder that names are relative to. */
  readonly base: ByteString
  readonly names: readonly ByteString[]
  readonly format: TarFormat
  readonly seen: { bytes: number }
  /** True if a file that shrinks while it is read is padded with zeros; otherwise that is a failure. */
  readonly shrinks: boolean
}

const tarArgs = [
  '--create',
  '--file=-',
  '--format=posix', // times to the nanosecond, and before 1970
  '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
  '--quoting-style=literal',
  '--warning=no-timestamp',
  '--null',
  '--verbatim-files-from',
  `--exclude=${unfinished}*`,
  `--exclude=${trash}`,
  '--files-from=-',
]
const chunkSize = 256 * 1024

/** Packs names below a folder into a tar archive with the compression of its format. Pipes and devices are left out; a file that changes meanwhile is packed as it was read. */
export async function packTar(
  { base, names, format, seen, shrinks }: Packing,
  target: Writable,
  run: CallRun,
): Promise<void> {
  const compressor = compressorOf(format)
  const tar = startTool('tar', tarArgs, workingFolder(base))
  const readMessage = messageOf(tar)
  tar.stdout.on('data', (part: Buffer) => {
    seen.bytes += part.length
  })
  tar.stdin.on('error', () => {}) // tar ended early; its exit code and stderr give the reason
  tar.stdin.end(Buffer.from(names.map((name) => `./${name}\0`).join(''), 'latin1'))
  const ended = once(tar, 'close').then(
    ([code]) => code as number | null,
    (error: unknown) => startFailure(error),
  )
  try {
    await compressor.flow(
      Readable.from(withoutSpecial(tar.stdout), { objectMode: true, highWaterMark: 2 }),
      target,
      run.signal,
    )
    const code = await ended
    if (code instanceof Refusal) throw code
    const message = readMessage()
    // 1 means that files changed or vanished while they were read
    if (code !== 0 && code !== 1) throw failureOfTar(message, base)
    if (!shrinks && message.includes('shrank by'))
      throw new Refusal(
        'CHANGED',
        undefined,
        message.split('\n').find((line) => line.includes('shrank by')),
      )
    await compressor.whole()
  } catch (error) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    if (error instanceof Refusal) throw error
    const { code, why } = failureOf(error)
    throw new Refusal(code, undefined, why)
  } finally {
    killGroup(tar.pid)
    compressor.end()
  }
}

// `/usr/bin/tar: ./name: Cannot open: Permission denied`, the name unquoted.
function failureOfTar(message: string, base: ByteString): Refusal {
  const [, name, why] =
    /^\/usr\/bin\/tar: \.\/([^]*?): ((?:Cannot|Read error|File) [^\n]*)$/m.exec(message) ?? []
  if (name === undefined) return new Refusal(codeOfMessage(message), undefined, message.split('\n')[0])
  return new Refusal(codeOfMessage(why ?? ''), name === '' ? base : join(base, name), why)
}

interface Compressor {
  flow(from: Readable, to: Writable, signal: AbortSignal): Promise<unknown>
  /** Throws if the output is incomplete. */
  whole(): Promise<void>
  end(): void
}

function compressorOf(format: TarFormat): Compressor {
  if (format === 'tar') return inProcess(new PassThrough({ highWaterMark: chunkSize }))
  if (format === 'tar.gz') return inProcess(createGzip({ chunkSize }))
  // Small blocks, so that one is complete before the call counts as stalled.
  if (format === 'tar.xz')
    return byTool('xz', [
      '--compress',
      '--stdout',
      '--threads=0',
      '--block-size=8MiB',
      '--memlimit-compress=512MiB',
    ])
  // The program is 1.5 times as fast as the same library in this process.
  if (hasTool('zstd')) return byTool('zstd', ['--compress', '--stdout', '--quiet', '--threads=0'])
  return inProcess(createZstdCompress({ chunkSize, params: { [constants.ZSTD_c_checksumFlag]: 1 } }))
}

function byTool(name: string, args: readonly string[]): Compressor {
  const tool = startTool(name, args)
  const ended = once(tool, 'close').then(
    ([code]) => code as number | null,
    () => null,
  )
  tool.stderr.resume()
  return {
    flow: (from, to, signal) =>
      Promise.all([pipeline(from, tool.stdin, { signal }), pipeline(tool.stdout, to, { signal })]),
    whole: async () => {
      if ((await ended) !== 0) throw new Refusal('EIO', undefined, `${name} could not compress it`)
    },
    end: () => killGroup(tool.pid),
  }
}

function inProcess(stream: Duplex): Compressor {
  return {
    flow: (from, to, signal) => pipeline(from, stream, to, { signal }),
    whole: async () => {},
    end: () => {},
  }
}
