import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Problem } from '../../../core/problem.ts'
import type { Content } from '../archive/archive.ts'
import { type Contents, openContents, prefixOf } from '../archive/contents.ts'
import type { Reading } from '../archive/reading.ts'
import type { MailboxBackup } from '../parts.ts'
import { ContentFailed } from '../problems.ts'

/** What was found about the contents of a mailbox. */
export interface ContentFindings {
  readonly contents: number
  readonly missing_contents: number
  readonly damaged_contents: number
  /** Objects on S3 that nothing refers to. */
  readonly unused_objects: number
}

/** Reads every content of a mailbox, here and on S3, and compares it with its hash; throws where S3 cannot be read. */
export async function verifyContents(
  on: MailboxBackup,
  { archive, place, settings }: Reading,
  signal: AbortSignal,
): Promise<ContentFindings> {
  const all = archive.contents()
  const keys = await keysOf(on, { place, settings }, all, signal)
  const contents = openContents(on, settings, place)
  const isStored = async ({ hash, key }: Content) =>
    key === '' ? (await on.files.facts(place.content(hash)))?.kind === 'file' : keys.has(key)
  let [missing, damaged] = [0, 0]
  for (const content of all) {
    signal.throwIfAborted()
    if (!(await isStored(content))) missing += 1
    else if (!(await isSound(contents, content, signal))) {
      // a server that is away damages nothing
      if (content.key !== '') await on.openObjects(settings.s3).assertBucket(signal)
      damaged += 1
    }
  }
  const used = new Set(all.map(({ key }) => key))
  const unused = [...keys].filter((key) => !used.has(key)).length
  const counts = { missing_contents: missing, damaged_contents: damaged, unused_objects: unused }
  return { contents: all.length, ...counts }
}

/** The objects of a mailbox on S3; none where nothing of it is there. */
async function keysOf(
  on: MailboxBackup,
  { place, settings }: Pick<Reading, 'place' | 'settings'>,
  all: readonly Content[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (all.every(({ key }) => key === '')) return new Set()
  if (all.some(({ key }) => key.endsWith('.gpg')) && (await on.passphrase()) === undefined)
    throw ContentFailed('the key that the contents on S3 are encrypted with is no longer stored')
  const found = await on.openObjects(settings.s3).list(prefixOf(place), signal)
  return new Set(found.map(({ key }) => key))
}

async function isSound(contents: Contents, content: Content, signal: AbortSignal): Promise<boolean> {
  try {
    const { stream } = await contents.open(content, signal)
    return (await hashOf(stream)) === content.hash
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem) return false
    throw error
  }
}

/** Returns the SHA-256 of a stream, in hexadecimal. */
export async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}
