import { type FileHandle, open, stat } from 'node:fs/promises'
import { pause } from '../../core/poll.ts'

const everyMs = 500
const partBytes = 256 * 1024
/** Of a log, for its last lines. */
const firstBytes = 4 * 1024 * 1024
const longestLine = 64 * 1024

/** How a log is followed. */
export interface LogFollowing {
  /** How many of the last lines come first. */
  readonly lines: number
  /** False if the stream ends with the last lines. */
  readonly isFollowing: boolean
  readonly signal: AbortSignal
}

/** Yields the last lines of a log and then those to come; a log that is rotated is read to its end, and then its successor. */
export async function* followLog(
  path: string,
  { lines, isFollowing, signal }: LogFollowing,
): AsyncGenerator<string> {
  let log = await Log.open(path, firstBytes)
  try {
    yield* lines === 0 ? [] : ((await log?.read()) ?? []).slice(-lines)
    if (lines === 0) await log?.read()
    while (isFollowing && !signal.aborted) {
      await pause(everyMs, signal)
      const isRotated = log === undefined || !(await log.isAt(path))
      yield* (await log?.read()) ?? []
      if (!isRotated) continue
      const next = await Log.open(path)
      if (next === undefined) continue
      await log?.close()
      log = next
    }
  } finally {
    await log?.close()
  }
}

/** A log that is open. */
class Log {
  readonly #file: FileHandle
  readonly #inode: number
  #offset: number
  #rest = ''
  #isCut: boolean

  private constructor(file: FileHandle, inode: number, offset: number) {
    this.#file = file
    this.#inode = inode
    this.#offset = offset
    this.#isCut = offset > 0
  }

  /** Opens a log at its last bytes, or at its beginning; undefined if there is none. */
  static async open(path: string, lastBytes = Infinity): Promise<Log | undefined> {
    try {
      const file = await open(path, 'r')
      const { ino, size } = await file.stat()
      return new Log(file, ino, Math.max(0, size - lastBytes))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  async isAt(path: string): Promise<boolean> {
    const found = await stat(path).catch(() => undefined)
    return found?.ino === this.#inode
  }

  /** Reads the lines that were completed since; the first of a log that was opened in its middle is left out. */
  async read(): Promise<readonly string[]> {
    if ((await this.#file.stat()).size < this.#offset) this.#offset = 0 // it was emptied
    const found: string[] = []
    for (;;) {
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(partBytes), 0, partBytes, this.#offset)
      if (bytesRead === 0) break
      this.#offset += bytesRead
      const lines = `${this.#rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n')
      this.#rest = lines.pop()!.slice(0, longestLine)
      found.push(...lines)
    }
    const complete = this.#isCut ? found.slice(1) : found
    if (found.length > 0) this.#isCut = false
    return complete.map((line) => Buffer.from(line.slice(0, longestLine), 'latin1').toString('utf8'))
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
