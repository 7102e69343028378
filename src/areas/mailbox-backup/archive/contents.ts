import { createHash, randomUUID } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pause } from '../../../core/poll.ts'
import { Problem } from '../../../core/problem.ts'
import type { MailboxBackup } from '../parts.ts'
import { ContentFailed } from '../problems.ts'
import type { StoredSettings } from '../settings/stored.ts'
import type { Content } from './archive.ts'
import type { Place } from './place.ts'

/** A content that is stored, and its size. */
export interface KeptContent extends Content {
  readonly sizeBytes: number
}

type On = Pick<MailboxBackup, 'files' | 'gpg' | 'passphrase' | 'openObjects'>
type At = Pick<Place, 'name' | 'incoming' | 'outgoing' | 'content'>

/** Returns how the keys of a mailbox's objects begin. */
export const prefixOf = ({ name }: Pick<Place, 'name'>): string => `mailbox-backup/${name}/`

/** How often an S3 server that fails is tried again, and the first pause; each further one is twice as long. */
const patience = { attempts: 5, pauseMs: 2000 }

/** Opens where the contents of a mailbox are: each is stored once, by its hash. */
export function openContents(on: On, settings: StoredSettings, place: At) {
  const { files } = on
  const received = async (stream: Readable, signal: AbortSignal) => {
    const hash = createHash('sha256')
    const hashing = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const path = `${place.incoming}/${randomUUID()}`
    // a failure of the source must reach the reader of what is hashed, who may not listen yet
    hashing.on('error', () => {})
    stream.on('error', (error) => hashing.destroy(error))
    const sizeBytes = await files.store(path, stream.pipe(hashing), signal).finally(() => stream.destroy())
    return { path, sizeBytes, hash: hash.digest('hex') }
  }
  return {
    /** Stores a stream on this host, or on S3 where `isRemote`. */
    keep: async (stream: Readable, isRemote: boolean, signal: AbortSignal): Promise<KeptContent> => {
      const { path, sizeBytes, hash } = await received(stream, signal)
      const final = place.content(hash)
      if (!isRemote && (await files.facts(final)) === undefined) {
        await files.makeDirectory(final.replace(/\/[^/]*$/, ''), { mode: 0o700 })
        await files.move(path, final)
        return { hash, sizeBytes, key: '' }
      }
      try {
        const key = isRemote ? await send(on, settings, { place, path, hash, signal }) : ''
        return { hash, sizeBytes, key }
      } finally {
        await files.remove(path)
      }
    },
    /** Opens a content; throws ContentFailed. */
    open: async ({ hash, key }: Content, signal: AbortSignal) => {
      const opened =
        key === ''
          ? await files.open(place.content(hash))
          : await fetchObject(on, settings, { place, key, signal })
      if (opened === undefined) throw ContentFailed('it is missing in the folder of the backups')
      return opened
    },
    /** Removes a content that nothing refers to; one that is gone stays so. */
    drop: async ({ hash, key }: Content, signal: AbortSignal): Promise<void> => {
      if (key === '') await files.remove(place.content(hash))
      else await on.openObjects(settings.s3).remove(key, signal)
    },
  }
}
export type Contents = ReturnType<typeof openContents>

interface Sending {
  readonly place: At
  readonly path: string
  readonly hash: string
  readonly signal: AbortSignal
}

async function send(
  on: On,
  settings: StoredSettings,
  { place, path, hash, signal }: Sending,
): Promise<string> {
  const plain = `${prefixOf(place)}${hash.slice(0, 2)}/${hash}`
  if (!settings.encryptsRemote) {
    await withPatience(signal, () => on.openObjects(settings.s3).put(plain, on.files.real(path), signal))
    return plain
  }
  const passphrase = await on.passphrase()
  if (passphrase === undefined) throw ContentFailed('no encryption key is stored: generate one')
  const encrypted = `${path}.gpg`
  try {
    await on.gpg.encryptFile({ passphrase, from: path, to: encrypted, signal })
    await withPatience(signal, () =>
      on.openObjects(settings.s3).put(`${plain}.gpg`, on.files.real(encrypted), signal),
    )
    return `${plain}.gpg`
  } finally {
    await on.files.remove(encrypted)
  }
}

/** Messages that were fetched are not fetched again because S3 was away for a minute. */
async function withPatience(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count += 1)
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Problem) || count >= patience.attempts) throw error
      await pause(patience.pauseMs * 2 ** (count - 1), signal)
    }
}

interface Fetching {
  readonly place: At
  readonly key: string
  readonly signal: AbortSignal
}

/** The file has no name by the time that it is sent: what is open can still be read. */
async function fetchObject(on: On, settings: StoredSettings, { place, key, signal }: Fetching) {
  const { files } = on
  const fetched = `${place.outgoing}/${randomUUID()}`
  const plain = `${fetched}.plain`
  try {
    await files.makeDirectory(place.outgoing, { mode: 0o700 })
    await on.openObjects(settings.s3).get(key, files.real(fetched), signal)
    if (!key.endsWith('.gpg')) return await files.open(fetched)
    const passphrase = await on.passphrase()
    if (passphrase === undefined) throw ContentFailed('the key that it is encrypted with is no longer stored')
    await on.gpg.decryptFile({ passphrase, from: fetched, to: plain, signal })
    return await files.open(plain)
  } catch (error) {
    if (error instanceof Problem) throw ContentFailed(error.message)
    throw error
  } finally {
    await files.remove(fetched)
    await files.remove(plain)
  }
}
