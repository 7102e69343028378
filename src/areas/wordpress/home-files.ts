import { Problem, type ProblemKind } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'

const mostBytes = 1024 * 1024
const { FolderNotEmpty, NoSuchFile, NotAFolder } = ownerProblems

/** Returns undefined instead of throwing one of these failures. */
export async function unless<Value>(
  kinds: readonly ProblemKind[],
  pending: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Problem && kinds.includes(error.kind)) return undefined
    throw error
  }
}

/** Reads the beginning of a file of a home, with its mode and entity tag; undefined if there is none. */
export async function readText(owner: Owner, path: string) {
  const found = await unless([NoSuchFile, NotAFolder], owner.read(path, { end: mostBytes }))
  if (found === undefined) return undefined
  const text = Buffer.concat(await found.stream.toArray()).toString('utf8')
  return { text, mode: Number.parseInt(found.stat.mode, 8), etag: found.stat.etag }
}

/** True if a path of the home exists. */
export const exists = async (owner: Owner, path: string): Promise<boolean> =>
  (await unless([NoSuchFile, NotAFolder], owner.stat(path))) !== undefined

/** Removes a path of the home with everything in it. */
export const removeAll = async (owner: Owner, path: string): Promise<void> =>
  void (await unless([NoSuchFile, NotAFolder], owner.remove([path], { recursive: true })))

/** Removes a folder of the home that has nothing in it: its owner may have put something there. */
export const removeEmpty = async (owner: Owner, path: string): Promise<void> =>
  void (await unless([NoSuchFile, FolderNotEmpty], owner.remove([path])))

/** The folder of the panel in that of a website, beside the document root. */
export const panelFolder = (domain: string): string => `sites/${domain}/.hostreeve-wordpress`
