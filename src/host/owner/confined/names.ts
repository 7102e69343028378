import { access, constants, lstat, rename, stat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from './calls.ts'
import { local, nameOf, parentOf, raw } from './paths.ts'
import { isLocked } from './stat.ts'

const tails = new Map<string, Promise<void>>()

/** Serialises the operations that assign names: the result of a check still holds when the operation acts on it. */
export async function atName<Result>(path: ByteString, work: () => Promise<Result>): Promise<Result> {
  const folder = parentOf(path)
  const { dev, ino } = await stat(folder.startsWith('/') ? raw(folder) : local(folder)).catch(about(folder))
  const key = `${dev} ${ino} ${nameOf(path)}`
  const before = tails.get(key)
  const turn = Promise.withResolvers<void>()
  tails.set(key, turn.promise)
  await before
  try {
    return await work()
  } finally {
    if (tails.get(key) === turn.promise) tails.delete(key)
    turn.resolve()
  }
}

/** Renames; returns false if that would cross into another file system. */
export async function renamed(from: ByteString, to: ByteString): Promise<boolean> {
  try {
    await rename(local(from), local(to))
    return true
  } catch (error) {
    if (failureOf(error).code === 'EXDEV') return false
    return (await refusesToGo(from, to, failureOf(error).code))(error)
  }
}

/** Finds the reason why a rename failed: the kernel does not report which of the two paths it is about. */
export async function refusesToGo(
  from: ByteString,
  to: ByteString,
  code: string,
): Promise<(error: unknown) => never> {
  const [found, above] = await Promise.all([lstat(local(from)), stat(local(parentOf(from)))])
  if (code === 'EBUSY' || (found.isDirectory() && found.dev !== above.dev)) throw new Refusal('EBUSY', from)
  if (code === 'EPERM' && isLocked(from)) throw new Refusal('LOCKED', from)
  const mayArrive = await access(local(parentOf(to)), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return about(mayArrive && (code === 'EACCES' || code === 'EPERM') ? from : to)
}

/** Refuses a name that is taken. */
export async function refuseTaken(path: ByteString): Promise<void> {
  if ((await lstat(local(path)).catch(() => undefined)) !== undefined) throw new Refusal('EEXIST', path)
}
