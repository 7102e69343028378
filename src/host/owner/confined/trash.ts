import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import {
  about,
  failureOf,
  Refusal,
  type ByteString,
  type EmptyCall,
  type RestoreCall,
  type TrashCall,
  type TrashRow,
} from './calls.ts'
import { copyInto } from './copy.ts'
import { mayRemove, remove } from './move.ts'
import { atName, refuseTaken, renamed } from './names.ts'
import { local, nameOf, parentOf, trash } from './paths.ts'
import { bare } from './place.ts'
import { removeTree, type Watch, watchOf } from './remove-tree.ts'
import { describe } from './stat.ts'
import type { CallRun } from './session.ts'

/** Each entry of the trash has its own folder: `what` is the removed entry, `from` contains the bytes of its original path. */
export const whatOf = (id: string): ByteString => `${trash}/${id}/what`
const fromOf = (id: string): ByteString => `${trash}/${id}/from`
const maxIds = 10_000
let count = 0

/** Moves a path to the trash; a path on another file system is copied there first. */
export async function throwAway(given: ByteString, run: CallRun): Promise<void> {
  const path = bare(given)
  await lstat(local(path)).catch(about(given))
  const id = `${Date.now().toString(36)}-${process.pid}-${++count}`
  await mkdir(local(`${trash}/${id}`), { recursive: true, mode: 0o700 }).catch(about(given))
  try {
    await writeFile(local(fromOf(id)), Buffer.from(path, 'latin1'), { flag: 'wx', mode: 0o600 })
    if (await renamed(path, whatOf(id))) return
    await mayRemove(path)
    await copyInto(path, whatOf(id), run, { isToGo: true })
  } catch (error) {
    await removeTree(`${trash}/${id}`)
    about(given)(error)
  }
  await remove(
    path,
    'Everything was copied to the trash; the entries that could not be removed remain here',
    run,
  )
}

/** Lists the trash, newest first. Damaged entries are left out. */
export async function listTrash(call: TrashCall): Promise<{ total: number; entries: readonly TrashRow[] }> {
  const rows = await Promise.all((await ids()).map(rowOf))
  const whole = rows
    .filter((row) => row !== undefined)
    .sort((a, b) => b.deletedMs - a.deletedMs || (a.id < b.id ? 1 : -1))
  return { total: whole.length, entries: whole.slice(call.offset, call.offset + call.limit) }
}

/** Restores entries to their original paths, in order up to the first failure; an existing destination is not touched. */
export async function restoreTrash(call: RestoreCall, run: CallRun): Promise<{ changed: number }> {
  for (const id of call.ids) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    const path = await originOf(id).catch(about(id))
    if (parentOf(path) !== '') await mkdir(local(parentOf(path)), { recursive: true }).catch(about(path))
    const isBack = await atName(path, async () => {
      await refuseTaken(path)
      return renamed(whatOf(id), path).catch(about(path))
    })
    if (!isBack)
      await copyInto(whatOf(id), path, run, { beforeTransfer: () => refuseTaken(path) }).catch(about(path))
    await removeTree(`${trash}/${id}`)
  }
  return { changed: call.ids.length }
}

/** Removes entries of the trash for good; all of them if none is named. An entry that cannot be removed stays in the list and does not block the others. */
export async function emptyTrash(call: EmptyCall, run: CallRun): Promise<{ changed: number }> {
  const chosen = call.ids ?? (await ids())
  const watch = watchOf(run)
  const failures: Refusal[] = []
  for (const id of chosen) {
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    await lstat(local(`${trash}/${id}`)).catch(about(id))
    const failure = await removeThrown(id, watch)
    if (failure !== undefined) failures.push(failure)
  }
  const [first] = failures
  if (first === undefined) return { changed: chosen.length }
  const rest = `${chosen.length - failures.length} of ${chosen.length} were removed; restore the locked or inaccessible entries, unlock them and delete them again`
  throw new Refusal(first.code, first.path, first.message, rest)
}

// The original path is removed last: without it the entry would not be listed, and could not be restored.
async function removeThrown(id: string, watch: Watch): Promise<Refusal | undefined> {
  const from = await originOf(id).catch(() => id)
  try {
    await removeTree(whatOf(id), watch)
    await removeTree(`${trash}/${id}`, watch)
    return undefined
  } catch (error) {
    return new Refusal(failureOf(error).code, from)
  }
}

/** Returns the ids of all entries of the trash. */
export async function ids(): Promise<string[]> {
  const names = await readdir(local(trash)).catch((error: unknown) =>
    failureOf(error).code === 'ENOENT' ? [] : about(trash)(error),
  )
  return names.filter((name) => /^[a-z0-9-]{1,60}$/.test(name)).slice(0, maxIds)
}

async function rowOf(id: string): Promise<TrashRow | undefined> {
  try {
    const path = await originOf(id)
    const { type, size } = describe(whatOf(id), nameOf(path))
    return { id, path, type, size, deletedMs: Math.trunc((await lstat(local(fromOf(id)))).mtimeMs) }
  } catch {
    return undefined // half created, half removed, or created by the owner
  }
}

/** Returns the original path of an entry of the trash. */
export async function originOf(id: string): Promise<ByteString> {
  const found = await lstat(local(fromOf(id)))
  if (!found.isFile() || found.size > 4096) throw new Refusal('ENOENT', id)
  const path = (await readFile(local(fromOf(id)))).toString('latin1')
  local(path) // refuses a path that leaves the home
  if (path === '') throw new Refusal('ENOENT', id)
  return path
}
