import { Transform } from 'node:stream'
import { ArchiveFailed } from './archive.ts'

/** The fields of a folder in a snapshot of format 2 (tar manual, "Format of the Incremental Snapshot Files"), each ended by NUL. */
const fields = ['nfs', 'sec', 'nsec', 'dev', 'ino', 'name', 'content', 'end'] as const
const deviceAt = fields.indexOf('dev')
const contentAt = fields.indexOf('content')
/** The time of the snapshot, before the first folder. */
const leading = 2
const mostHeaderBytes = 1000
const noDevice = Buffer.from('0')

/**
 * Passes a snapshot of tar on without the devices of its folders. tar then finds no folder by its inode under another name, and stores no
 * renames: where one folder took the place of another (`rm -r live; mv staged live`, or an inode that was used again), it would restore
 * them by a rename onto a folder that is not empty, which fails. A renamed folder is packed as a new one. With `--no-check-device`,
 * a folder that has kept its name is still compared by its inode.
 */
export function withoutDevices(): Transform {
  const reader = new SnapshotReader()
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, reader.take(chunk))
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
    flush(done) {
      done(null, reader.rest())
    },
  })
}

class SnapshotReader {
  #rest: Buffer = Buffer.alloc(0)
  #hasHeader = false
  /** Of the fields before the first folder. */
  #leading = leading
  #at = 0

  /** Returns what can be passed on of the snapshot so far. */
  take(chunk: Buffer): Buffer {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const parts: Buffer[] = []
    let [from, start] = [0, this.#hasHeader ? 0 : this.#headerOf(all)]
    for (let end = all.indexOf(0, start); end >= 0 && this.#hasHeader; end = all.indexOf(0, start)) {
      if (this.#isDevice()) {
        parts.push(all.subarray(from, start), noDevice)
        from = end
      }
      this.#next(end === start)
      start = end + 1
    }
    parts.push(all.subarray(from, start))
    this.#rest = Buffer.from(all.subarray(start))
    return Buffer.concat(parts)
  }

  rest(): Buffer {
    return this.#rest
  }

  /** Returns the length of the first line, which names the format; 0 while it is not complete. */
  #headerOf(all: Buffer): number {
    const length = all.indexOf('\n') + 1
    if (length === 0 && all.length < mostHeaderBytes) return 0
    if (!/^GNU tar-[^\n]*-2\n$/.test(all.toString('latin1', 0, length)))
      throw ArchiveFailed('tar: the snapshot of the last backup is not of format 2')
    this.#hasHeader = true
    return length
  }

  #isDevice(): boolean {
    return this.#leading === 0 && this.#at === deviceAt
  }

  /** The content of a folder is a list of names, which an empty one ends. */
  #next(isEmpty: boolean): void {
    if (this.#leading > 0) this.#leading -= 1
    else if (this.#at !== contentAt || isEmpty) this.#at = (this.#at + 1) % fields.length
  }
}
