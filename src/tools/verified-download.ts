import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { Problem, type ProblemKind } from '../core/problem.ts'
import type { Fetched } from '../host/fetch/index.ts'
import type { Host } from '../host/index.ts'

/** Where a program is downloaded from: base addresses, each asked where the one before has no such file. */
export interface Publisher {
  readonly fetch: Host['fetch']
  readonly bases: readonly string[]
  /** The setting that has the addresses. */
  readonly setting: string
  readonly failed: ProblemKind
}

interface Download {
  readonly path: string
  readonly sha256: string
  readonly maxBytes: number
  /** Where the file is stored, with rights for root alone. */
  readonly to: string
  readonly signal: AbortSignal
  readonly onProgress: (endBytes: number, sizeBytes: number | undefined) => void
}

/** The addresses are a setting of the administrator, so they may be internal. */
const asker = { isAdmin: true }
const mostTextBytes = 256 * 1024
const textMs = 20_000

/** The name of this machine's architecture in the files of Go programs; undefined if they are built for others. */
export const goArchitecture = (): 'amd64' | 'arm64' | undefined =>
  process.arch === 'x64' ? 'amd64' : process.arch === 'arm64' ? 'arm64' : undefined

/** Reads a short text, such as a checksum, from the first address that has it. */
export async function readPublished(publisher: Publisher, path: string): Promise<string> {
  const signal = AbortSignal.timeout(textMs)
  try {
    const { stream } = await openFirst(publisher, path, { maxBytes: mostTextBytes, signal })
    return Buffer.concat(await stream.toArray()).toString()
  } catch (error) {
    if (signal.aborted) throw publisher.failed(`${path}: there was no answer in time`)
    if (!(error instanceof Problem) || error.kind === publisher.failed) throw error
    throw publisher.failed(`${path}: ${error.message}`)
  }
}

/** Downloads a file and refuses it unless it has the SHA-256 that was published. */
export async function downloadVerified(
  publisher: Publisher,
  files: Host['files'],
  { path, sha256, maxBytes, to, signal, onProgress }: Download,
): Promise<void> {
  const { stream } = await openFirst(publisher, path, { maxBytes, signal, onProgress })
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.on('error', (error) => hashed.destroy(error))
  try {
    await files.store(to, stream.pipe(hashed), signal)
  } catch (error) {
    const isOfDownload =
      error instanceof Problem && ['download_failed', 'bad_request'].includes(error.kind.code)
    throw isOfDownload ? publisher.failed(error.message.replace(/^url: /, '')) : error
  }
  const found = hash.digest('hex')
  if (found !== sha256)
    throw publisher.failed(`${path} has the SHA-256 ${found}, and ${sha256} was published`)
}

interface Opening {
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly onProgress?: Download['onProgress']
}

async function openFirst(
  { fetch, bases, setting, failed }: Publisher,
  path: string,
  opening: Opening,
): Promise<Fetched> {
  const refusals: string[] = []
  for (const base of bases)
    try {
      const url = URL.parse(path, base.endsWith('/') ? base : `${base}/`)?.href ?? base
      return await fetch.open({ url, asker, ...opening })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refusals.push(error.message.replace(/^url: /, ''))
    }
  throw failed(
    refusals.length === 0 ? `There is no address to download from: set ${setting}` : refusals.join('; '),
  )
}
