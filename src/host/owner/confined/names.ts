import { access, constants, lstat, rename, stat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString } from './calls.ts'
import { local, nameOf, parentOf, raw } from './paths.ts'
import { isLocked } from './stat.ts'

const tails = new Map<string, Promise<void>>()

/** Lets those that give a name to something have it one after the other, each for a moment: what one found out about it still holds when it acts. */
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

/** Renames; false where that would cross into another file system. */
export async function renamed(from: ByteString, to: ByteString): Promise<boolean> {
  try {
    await rename(local(from), local(to))
    return true
  } catch (error) {
    if (failureOf(error).code === 'EXDEV') return false
    return (await refusesToGo(from, to, failureOf(error).code))(error)
  }
}

/** Finds out what keeps something from another name: the kernel does not say which of the two it is about. */
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
