import { accessSync, constants, statSync, type BigIntStats, type Stats } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from '../calls.ts'
import { refusesToGo } from '../names.ts'
import { join, local, nameOf, parentOf, raw } from '../paths.ts'
import { isLocked } from '../stat.ts'
import type { Met } from './count.ts'

/** Refuses a folder in which no name can be created, assigned or removed, and a path that is not a folder. */
export async function mayChangeIn(folder: ByteString): Promise<void> {
  await access(at(folder === '' ? '' : `${folder}/.`), constants.W_OK | constants.X_OK) // the dot requires a folder
}

/** Refuses a locked entry: nothing else can take its name. Its mode does not prevent its replacement. */
export async function mayReplace(path: ByteString, existing: Stats | BigIntStats | undefined): Promise<void> {
  if (existing === undefined || existing.isSymbolicLink()) return // access() on a link checks its target
  await access(at(path), constants.W_OK).catch((error: unknown) => {
    if (failureOf(error).code === 'EPERM') throw error
  })
}

/** Refuses an entry that cannot be renamed, as the kernel and `renamed` would; `folder` is the existing ancestor of the destination. */
export async function mayRename(from: ByteString, to: ByteString, folder = parentOf(to)): Promise<void> {
  const [found, existing] = await Promise.all(
    [from, to].map((path) => lstat(local(path)).catch(() => undefined)),
  )
  if (found === undefined) throw new Refusal('ENOENT', from)
  try {
    await mayChangeIn(parentOf(from))
    if (found.isDirectory() && !areTogether(from, parentOf(from))) throw new Refusal('EBUSY')
    if (!found.isSymbolicLink() && isLocked(from)) throw new Refusal('LOCKED', from)
    // moving a folder to another parent writes to it: its own `..` changes
    if (found.isDirectory() && parentOf(from) !== parentOf(to)) await access(local(from), constants.W_OK)
    await mayChangeIn(folder)
    await mayReplace(to, existing)
  } catch (error) {
    const { code, path } = failureOf(error)
    return (await refusesToGo(from, join(folder, nameOf(to)), code))(new Refusal(code, path))
  }
}

/** Refuses a folder that cannot be created with its parents; returns how many are missing, and the existing one above them. */
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

/** Refuses a folder in which no name can be created, even after it was itself created with its parents; returns the existing ancestor. */
export async function mayMakeNameIn(wanted: ByteString): Promise<ByteString> {
  const { missing, folder } = await mayMakeFolders(wanted)
  if (missing === 0) await mayChangeIn(folder)
  return folder
}

/** Refuses an entry that a copy or an archive could not read. */
export function mayRead({ path, found }: Met): void {
  try {
    if (found.isFile()) accessSync(local(path), constants.R_OK)
    if (found.isDirectory()) accessSync(local(path), constants.R_OK | constants.X_OK)
  } catch (error) {
    about(path)(error)
  }
}

/** Returns true if two folders are on one file system. */
export function areTogether(one: ByteString, other: ByteString): boolean {
  return statSync(local(one)).dev === statSync(local(other)).dev
}

const isThere = (path: ByteString): Promise<boolean> =>
  lstat(local(path)).then(
    () => true,
    () => false,
  )

// The target of a link comes as an absolute path.
function at(path: ByteString): string | Buffer {
  return path.startsWith('/') ? raw(path) : local(path)
}
