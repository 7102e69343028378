import { Conflict, Problem, type ProblemKind, unless } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'

const mostBytes = 1024 * 1024
const {
  AlreadyThere,
  FolderNotEmpty,
  IsAFolder,
  NoSuchFile,
  NotAFile,
  NotAFolder,
  NotPermitted,
  PathInvalid,
} = ownerProblems
const missing = [NoSuchFile, NotAFolder]
/** What an owner has put in the place of a file or folder of the panel. */
const obstacles = new Set<ProblemKind>([
  AlreadyThere,
  IsAFolder,
  NotAFile,
  NotAFolder,
  NotPermitted,
  PathInvalid,
])

/** Reads a file of a home of at most 1 MiB, with its mode and entity tag; undefined if there is none. */
export async function readHomeFile(owner: Owner, path: string) {
  return inHome(async () => {
    const found = await unless(missing, owner.read(path, { end: mostBytes }))
    if (found === undefined) return undefined
    if (found.stat.size_bytes > mostBytes) {
      found.stream.destroy()
      throw Conflict(`In the home of the website: ${path} is larger than ${mostBytes} bytes`)
    }
    const text = Buffer.concat(await found.stream.toArray()).toString('utf8')
    return { text, mode: Number.parseInt(found.stat.mode, 8), etag: found.stat.etag }
  })
}

/** Writes a file of a home and makes its folder. */
export async function writeHomeFile(
  owner: Owner,
  path: string,
  text: string,
  {
    folderMode,
    ...options
  }: { readonly mode: number; readonly ifMatch?: string; readonly folderMode?: number },
): Promise<void> {
  await makeHomeFolder(owner, path.slice(0, path.lastIndexOf('/')), folderMode)
  await madeInHome(path, () => owner.write(path, Buffer.from(text), options))
}

/** Makes a folder of a home with those above it. */
export const makeHomeFolder = (owner: Owner, path: string, mode?: number): Promise<void> =>
  madeInHome(path, () => owner.mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) }))

/** True if a path of a home exists. */
export const existsInHome = async (owner: Owner, path: string): Promise<boolean> =>
  (await inHome(() => unless(missing, owner.stat(path)))) !== undefined

/** Removes a path of a home with everything in it, if it exists. */
export const removeFromHome = async (owner: Owner, path: string): Promise<void> =>
  void (await inHome(() => unless(missing, owner.remove([path], { recursive: true }))))

/** Removes a folder of a home that has nothing in it: its owner may have put something there. */
export const removeEmptyFolder = async (owner: Owner, path: string): Promise<void> =>
  void (await inHome(() => unless([NoSuchFile, FolderNotEmpty], owner.remove([path]))))

/** An owner puts in their home what they like: a link, a folder or a lock in the way is told with its path. */
export async function inHome<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Problem && obstacles.has(cause.kind))
      throw Conflict(`In the home of the website: ${cause.message}`, { cause })
    throw cause
  }
}

/** What is made with the folders above it cannot be missing, except behind a link. */
function madeInHome<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  return inHome(async () => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof Problem && cause.kind === NoSuchFile)
        throw Conflict(
          `In the home of the website: ${path} is behind a link that leads nowhere, or out of the home`,
          {
            cause,
          },
        )
      throw cause
    }
  })
}
