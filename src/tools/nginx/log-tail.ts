import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A log that is open for reading. */
export type LogFile = FileHandle

const maxBytes = 4 * 1024 * 1024

/** Selects lines of a site's log. */
export interface LogTail {
  readonly kind: 'access' | 'error'
  /** The number of last lines. */
  readonly lines: number
  /** Only lines that contain this text. */
  readonly search?: string
}

/** Reads the last lines of a site's log, from its last 4 MiB. Empty if there is no log yet. */
export async function readLogTail(
  logsDirectory: string,
  domain: string,
  { kind, lines, search }: LogTail,
): Promise<readonly string[]> {
  const text = await lastBytes(`${logsDirectory}/${domain}/${kind}.log`)
  const found = text
    .split('\n')
    .filter((line) => line !== '' && (search === undefined || line.includes(search)))
  return found.slice(-lines)
}

async function lastBytes(path: string): Promise<string> {
  await using file = await openLog(path)
  if (file === undefined) return ''
  const { size } = await file.stat()
  const start = Math.max(0, size - maxBytes)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
  const text = buffer.toString('utf8', 0, bytesRead)
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1) // the first line may be incomplete
}

/** Opens a log. The directory of the logs belongs to root; a link in it is none of the panel's. */
export async function openLog(path: string): Promise<LogFile | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP'))
      return undefined
    throw error
  }
}
