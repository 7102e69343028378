import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { AlteringAlready, DownloadFailed, PackageWrong, SourceInvalid } from './problems.ts'
import type { AskWordPress, Place } from './run-script.ts'

/** Where the package of an update comes from. */
export type Source =
  /** In the home of the owner; with the version of WordPress that it had when the update was planned. */
  | { readonly kind: 'path'; readonly path: string; readonly version?: string }
  /** Without a checksum for what WordPress itself would download. */
  | {
      readonly kind: 'url'
      readonly url: string
      readonly sha256: string | null
      /** Of the known update. */
      readonly version?: string
    }

interface Delivery {
  readonly stream: Readable
  /** Throws unless what was delivered has its checksum. */
  verify(): void
}

export type Deliver = (source: Extract<Source, { kind: 'url' }>, signal: AbortSignal) => Promise<Delivery>

/** An owner may have written the address: it obeys the policy for everybody. */
const asker = { isAdmin: false }
const maxBytes = 500 * 1024 * 1024

/** Binds downloads of packages to the policy on addresses. */
export function deliver(fetch: Pick<Host['fetch'], 'open'>): Deliver {
  return async ({ url, sha256 }, signal) => {
    const { stream } = await fetch.open({ url, asker, maxBytes, signal }).catch((error: unknown) => {
      throw downloadFailure(error)
    })
    const hash = createHash('sha256')
    const hashed = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    stream.on('error', (error) => hashed.destroy(downloadFailure(error)))
    return {
      stream: stream.pipe(hashed),
      verify: () => {
        const found = hash.digest('hex')
        if (sha256 !== null && found !== sha256)
          throw PackageWrong(`sha256: ${url} has ${found}, and ${sha256} is expected`)
      },
    }
  }
}

interface Fitting {
  readonly source: Source
  /** Absolute path of the archive. */
  readonly archive: string
  readonly signal: AbortSignal
}

/** Returns the version of WordPress in an archive; throws unless it is the one that it must be, and no older than that of the website. */
export async function assertFits(
  ask: AskWordPress,
  place: Place,
  { source, archive, signal }: Fitting,
): Promise<string> {
  const input = { package: archive, wanted: source.version ?? null }
  const { version, fault, is_locked } = await ask(place, 'inspect', input, { signal })
  if (is_locked) throw AlteringAlready(`WordPress of ${place.domain} is updating itself: try again later`)
  if (fault === null && version !== null) return version
  const why = fault ?? 'is no zip archive of WordPress'
  throw source.kind === 'path'
    ? SourceInvalid(`path: ${source.path} ${why}`)
    : PackageWrong(`${source.url} ${why}`)
}

const downloadFailure = (error: unknown): Error =>
  error instanceof Problem
    ? DownloadFailed(error.message.replace(/^url: /, ''), { cause: error })
    : error instanceof Error
      ? error
      : new Error(String(error))
