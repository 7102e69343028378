import type { Owner } from '../../host/owner/index.ts'
import { ArchiveFailed } from './archive.ts'

/** What a folder contains. */
export interface Listed {
  readonly entries: number
  /** Of regular files. */
  readonly bytes: number
  /** Paths that a backup would not bring back as they are: unreadable for the owner, or of another account. */
  readonly omitted: readonly string[]
  readonly omittedCount: number
}

const mostListed = 1000
const limitMs = 3_600_000

/** Counts the entries of a folder under the owner's uid, and lists those that its backup does not contain as they are. */
export async function listEntries(
  owner: Owner,
  folder: string,
  { uid, signal }: { readonly uid: number; readonly signal: AbortSignal },
): Promise<Listed> {
  const count = new Counting()
  const result = await owner.run(argvOf(folder, uid), {
    signal,
    timeoutMs: limitMs,
    onOutput: (chunk) => count.push(chunk),
  })
  signal.throwIfAborted()
  // 1: a folder that the owner cannot read, which is among what is omitted
  if (result.code > 1) throw ArchiveFailed(`find: ${result.stderr.trim().slice(0, 500)}`)
  return count.listed()
}

/** Time stamps of files are that of the last tick of the clock. */
const tickMs = 100

/** Counts the entries of a folder, with the folder itself, that were made, changed, renamed or removed from since a time. */
export async function countChanged(
  owner: Owner,
  folder: string,
  { since, signal }: { readonly since: Date; readonly signal: AbortSignal },
): Promise<number> {
  let count = 0
  const at = ((since.getTime() - tickMs) / 1000).toFixed(3)
  const result = await owner.run(['/usr/bin/find', folder, '-newerct', `@${at}`, '-printf', 'x'], {
    signal,
    timeoutMs: limitMs,
    onOutput: (chunk) => void (count += chunk.length),
  })
  signal.throwIfAborted()
  if (result.code > 1) throw ArchiveFailed(`find: ${result.stderr.trim().slice(0, 500)}`)
  return count
}

const argvOf = (folder: string, uid: number): readonly [string, ...string[]] => [
  '/usr/bin/find',
  folder,
  '-mindepth',
  '1',
  '(',
  '!',
  '-uid',
  String(uid),
  '-o',
  '(',
  '-type',
  'f',
  '-o',
  '-type',
  'd',
  ')',
  '!',
  '-readable',
  ')',
  '-printf',
  'x %y %s %P\\0',
  '-o',
  '-printf',
  '- %y %s\\0',
]

/** Reads records that end with NUL, as names contain any other byte. */
class Counting {
  #rest = Buffer.alloc(0)
  #entries = 0
  #bytes = 0
  #omittedCount = 0
  readonly #omitted: string[] = []

  push(chunk: Buffer): undefined {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let start = 0
    for (let end = all.indexOf(0); end >= 0; end = all.indexOf(0, start)) {
      this.#add(all.toString('utf8', start, end))
      start = end + 1
    }
    this.#rest = Buffer.from(all.subarray(start))
  }

  #add(row: string): void {
    const [, mark, type, size = '0', path = ''] = /^(.) (.) (\d+)(?: (.*))?$/s.exec(row) ?? []
    this.#entries += 1
    if (type === 'f') this.#bytes += Number(size)
    if (mark !== 'x') return
    this.#omittedCount += 1
    if (this.#omitted.length < mostListed) this.#omitted.push(path.slice(0, 4096))
  }

  listed(): Listed {
    return {
      entries: this.#entries,
      bytes: this.#bytes,
      omitted: this.#omitted,
      omittedCount: this.#omittedCount,
    }
  }
}
