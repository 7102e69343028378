import { accessSync, constants, statSync, type BigIntStats, type Stats } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from '../calls.ts'
import { refusesToGo } from '../names.ts'
import { join, local, nameOf, parentOf, raw } from '../paths.ts'
import { isLocked } from '../stat.ts'
import type { Met } from './count.ts'

/** Refuses a folder in which no name can be made, given or taken away; and what is no folder. */
export async function mayChangeIn(folder: ByteString): Promise<void> {
  await access(at(folder === '' ? '' : `${folder}/.`), constants.W_OK | constants.X_OK) // the dot asks for a folder
}

/** Refuses what is locked: nothing else takes its name. Its mode keeps nobody from replacing it. */
export async function mayReplace(path: ByteString, standing: Stats | BigIntStats | undefined): Promise<void> {
  if (standing === undefined || standing.isSymbolicLink()) return // to ask for a link asks for what it leads to
  await access(at(path), constants.W_OK).catch((error: unknown) => {
    if (failureOf(error).code === 'EPERM') throw error
  })
}

/** Refuses what cannot be given another name, as the kernel and `renamed` would; `folder` is there already where that of the name is to be made. */
export async function mayRename(from: ByteString, to: ByteString, folder = parentOf(to)): Promise<void> {
  const [found, standing] = await Promise.all(
    [from, to].map((path) => lstat(local(path)).catch(() => undefined)),
  )
  if (found === undefined) throw new Refusal('ENOENT', from)
  try {
    await mayChangeIn(parentOf(from))
    if (found.isDirectory() && !areTogether(from, parentOf(from))) throw new Refusal('EBUSY')
    if (!found.isSymbolicLink() && isLocked(from)) throw new Refusal('LOCKED', from)
    // a folder that comes to lie in another one is written to: its own `..` changes
    if (found.isDirectory() && parentOf(from) !== parentOf(to)) await access(local(from), constants.W_OK)
    await mayChangeIn(folder)
    await mayReplace(to, standing)
  } catch (error) {
    const { code, path } = failureOf(error)
    return (await refusesToGo(from, join(folder, nameOf(to)), code))(new Refusal(code, path))
  }
}

/** Refuses a folder that cannot be made with those above it; tells how many are missing, and below which one. */
export async function mayMakeFolders(
  wanted: ByteString,
): Promise<{ readonly missing: number; readonly folder: ByteString }> {
  let [missing, folder] = [0, wanted]
  for (; folder !== ''; folder = parentOf(folder), missing++) {
    const code = await access(local(`${folder}/.`), constants.F_OK).then(
      () => undefined,
      (error: unknown) => failureOf(error).code,
    )
    if (code === undefined) break
    if (code !== 'ENOENT')
      throw new Refusal(code === 'ENOTDIR' && missing === 0 && (await isThere(folder)) ? 'EEXIST' : code)
  }
  if (missing > 0) await mayChangeIn(folder)
  return { missing, folder }
}

/** Refuses a folder in which no name can be made, also after it was made itself with those above it; gives the one that is there already. */
export async function mayMakeNameIn(wanted: ByteString): Promise<ByteString> {
  const { missing, folder } = await mayMakeFolders(wanted)
  if (missing === 0) await mayChangeIn(folder)
  return folder
}

/** Refuses what a copy, or an archive, could not take in. */
export function mayRead({ path, found }: Met): void {
  try {
    if (found.isFile()) accessSync(local(path), constants.R_OK)
    if (found.isDirectory()) accessSync(local(path), constants.R_OK | constants.X_OK)
  } catch (error) {
    about(path)(error)
  }
}

/** Whether two folders are on one file system. */
export function areTogether(one: ByteString, other: ByteString): boolean {
  return statSync(local(one)).dev === statSync(local(other)).dev
}

const isThere = (path: ByteString): Promise<boolean> =>
  lstat(local(path)).then(
    () => true,
    () => false,
  )

// What a link leads to comes as an absolute path.
function at(path: ByteString): string | Buffer {
  return path.startsWith('/') ? raw(path) : local(path)
}
