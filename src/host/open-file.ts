import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Opens a regular file as a stream, and tells its size; undefined when there is none. */
export async function openFile(
  path: string,
): Promise<{ readonly stream: Readable; readonly sizeBytes: number } | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = await file.stat()
    if (facts.isFile()) return { stream: file.createReadStream(), sizeBytes: facts.size }
    await file.close()
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(String(error.code))) return undefined
    throw error
  }
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'])
