import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupParts } from '../step-parts.ts'
import { unstarted } from '../../../host/run.ts'
import { outputOf } from '../../../tools/program-output.ts'
import type { Part } from '../manifest.ts'
import type { SiteName } from '../depot.ts'
import { BackupDamaged } from '../problems.ts'
import { pauseMs } from './pace.ts'

interface Stored {
  readonly path: string
  readonly passphrase: string | null
  readonly signal: AbortSignal
  readonly onBytes?: (bytes: number) => void
}

type Storing = Pick<BackupParts, 'files' | 'tools' | 'maxBytesPerSecond'>

/** Stores a stream, encrypted if there is a passphrase, no faster than the settings allow; returns its size and SHA-256. */
export async function storePart(
  on: Storing,
  source: Readable,
  { path, passphrase, signal, onBytes = () => {} }: Stored,
): Promise<Pick<Part, 'size_bytes' | 'sha256'>> {
  const sealed = passphrase === null ? source : coded(on.tools.gpg.encrypt, source, { passphrase, signal })
  const digest = createHash('sha256')
  const pause = pausesOf(on, signal)
  let bytes = 0
  const passOn = async (chunk: Buffer, done: TransformCallback) => {
    try {
      await pause(bytes)
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)))
    }
    done(null, chunk)
  }
  const counted = pipeline(
    sealed,
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        digest.update(chunk)
        onBytes((bytes += chunk.length))
        void passOn(chunk, done)
      },
    }),
    () => {}, // a failure destroys the stream with its reason
  )
  const size_bytes = await on.files.store(path, counted, signal)
  return { size_bytes, sha256: digest.digest('hex') }
}

/** Returns a function that waits until so many bytes are within the rate of the settings. */
function pausesOf({ maxBytesPerSecond }: Storing, signal: AbortSignal): (bytes: number) => Promise<void> {
  const beganAt = performance.now()
  const rate = maxBytesPerSecond?.() ?? Promise.resolve(0)
  rate.catch(() => {}) // told by the first chunk, which may never come
  return async (bytes) => {
    const ms = pauseMs(bytes, performance.now() - beganAt, await rate)
    if (ms > 0) await sleep(Math.min(ms, longestMs), undefined, { signal })
  }
}

/** A timer takes no longer one. */
const longestMs = 2 ** 31 - 1

interface Opening {
  readonly site: SiteName
  readonly point: string
  readonly part: Part
}

/** Fails if a stored part is not what was stored. */
export async function verifyPart({ depot }: BackupParts, { site, point, part }: Opening): Promise<void> {
  const digest = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of depot.open(site, point, part.file)) {
      digest.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    throw BackupDamaged(`${part.file} of ${point} cannot be read: ${error.message}`)
  }
  if (bytes !== part.size_bytes || digest.digest('hex') !== part.sha256)
    throw BackupDamaged(`${part.file} of ${point} is not as it was written: its SHA-256 differs`)
}

/** True for a file that is missing, or that the disk does not give. */
const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EIO')

/** Opens a stored part, decrypted. */
export function openPart(
  { depot, tools }: Pick<BackupParts, 'depot' | 'tools'>,
  { site, point, part }: Opening,
  { passphrase, signal }: { readonly passphrase: string | null; readonly signal: AbortSignal },
): Readable {
  return decoded({ tools }, part, depot.open(site, point, part.file), { passphrase, signal })
}

/** Decrypts a part that is encrypted. */
export const decoded = (
  { tools }: Pick<BackupParts, 'tools'>,
  { file }: Pick<Part, 'file'>,
  stored: Readable,
  { passphrase, signal }: { readonly passphrase: string | null; readonly signal: AbortSignal },
): Readable =>
  file.endsWith('.gpg') && passphrase !== null
    ? coded(tools.gpg.decrypt, stored, { passphrase, signal })
    : stored

type Code = BackupParts['tools']['gpg']['encrypt']

/** A backup that is throttled keeps gpg waiting. */
const codeMs = 12 * 3_600_000

/** The output of gpg as a stream that fails unless gpg succeeds. */
function coded(
  code: Code,
  source: Readable,
  { passphrase, signal }: { readonly passphrase: string; readonly signal: AbortSignal },
): Readable {
  let failure = new Error('gpg failed')
  const start = async (limits: Pick<Parameters<Code>[0], 'onOutput' | 'signal'>) => {
    try {
      await code({ source, passphrase, timeoutMs: codeMs, ...limits })
      return unstarted(0, '')
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      return unstarted(1, failure.message)
    }
  }
  return outputOf(start, () => failure, signal)
}
