import { createHash } from 'node:crypto'
import type { Files } from '../../host/files.ts'

/** The largest file that the panel reads whole. */
export const mostBytes = 16 * 1024 * 1024

/** What is compared of a larger file: its size, and its beginning. */
export interface LargeContent {
  readonly size_bytes: number
  /** Of the first 64 MiB. */
  readonly sha256: string
}

const mostHashed = 64 * 1024 * 1024

/** Reads what is compared of a file that is too large to be read whole. */
export async function readLarge(
  files: Pick<Files, 'stream'>,
  path: string,
  sizeBytes: number,
): Promise<LargeContent> {
  const hash = createHash('sha256')
  let left = mostHashed
  for await (const chunk of files.stream(path)) {
    const bytes = Buffer.from(chunk)
    hash.update(bytes.subarray(0, left))
    left -= bytes.length
    if (left <= 0) break
  }
  return { size_bytes: sizeBytes, sha256: hash.digest('hex') }
}

/** Reads the first bytes of a file of any size. */
export async function readBeginning(files: Pick<Files, 'stream'>, path: string): Promise<string> {
  for await (const chunk of files.stream(path)) return Buffer.from(chunk).subarray(0, 4096).toString('utf8')
  return ''
}
