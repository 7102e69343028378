import { Problem } from '../../../core/problem.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'

export type OwnerOf = (username: string) => Promise<Owner>

const mostBytes = 1024 * 1024

/** Reads a file of a home; undefined if there is none. */
export async function readText(owner: Owner, path: string): Promise<string | undefined> {
  const found = await unlessMissing(owner.read(path, { end: mostBytes }))
  return found && Buffer.concat(await found.stream.toArray()).toString('utf8')
}

/** True if a path of a home exists. */
export const exists = async (owner: Owner, path: string): Promise<boolean> =>
  (await unlessMissing(owner.stat(path))) !== undefined

/** Removes a path of a home with everything in it, if it exists. */
export const removeAll = async (owner: Owner, path: string): Promise<void> =>
  void (await unlessMissing(owner.remove([path], { recursive: true })))

/** Makes the folder of a path. */
export const makeParent = (owner: Owner, path: string): Promise<void> =>
  owner.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true })

async function unlessMissing<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    const missing = [ownerProblems.NoSuchFile, ownerProblems.NotAFolder]
    if (error instanceof Problem && missing.includes(error.kind)) return undefined
    throw error
  }
}
