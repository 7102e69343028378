import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathInKey } from './render-cache.ts'

/** The pages that are kept for a site. */
export interface CachedPages {
  readonly pages: number
  readonly bytes: number
}

/** Counts the pages in the folder of a site. */
export async function countPages(folder: string): Promise<CachedPages> {
  let [pages, bytes] = [0, 0]
  for (const path of await pagesIn(folder)) {
    const found = await unlessGone(stat(path))
    if (found === undefined) continue
    pages++
    bytes += found.size
  }
  return { pages, bytes }
}

/** Removes the pages of a path, with any query, or all of them. nginx takes a missing file as a page that it does not have. */
export async function removePages(folder: string, path: string | null): Promise<void> {
  for (const file of await pagesIn(folder)) {
    if (path === null || isSamePath(await pathOf(file), path)) await rm(file, { force: true })
  }
}

/** The name of a page is the MD5 of its key; what nginx still writes has a longer one. */
const pageName = /^[0-9a-f]{32}$/

/** The folders are 1 and 2 characters of the name: nginx alone writes in them. */
async function pagesIn(folder: string): Promise<readonly string[]> {
  const found = await unlessGone(readdir(folder, { recursive: true, withFileTypes: true }))
  return (found ?? [])
    .filter((entry) => entry.isFile() && pageName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The longest line of a request that nginx takes (large_client_header_buffers), and what precedes it in a file. */
const headBytes = 16 * 1024

/** Returns the path for which a page is kept: a file begins with binary fields, and then has its key as a line. */
async function pathOf(file: string): Promise<string | undefined> {
  const opened = await unlessGone(open(file, 'r'))
  if (opened === undefined) return undefined
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [, line] = /\nKEY: ([^\n]*)\n/.exec(buffer.toString('latin1', 0, bytesRead)) ?? []
    return line === undefined ? undefined : pathInKey(line)
  } finally {
    await opened.close()
  }
}

const isSamePath = (kept: string | undefined, path: string): boolean =>
  kept !== undefined && decoded(kept) === decoded(path)

/** Paths may be encoded in several ways; one that is not encoded correctly is compared as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** nginx may remove a page at any time. */
async function unlessGone<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
