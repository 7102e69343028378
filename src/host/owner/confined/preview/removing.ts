import { accessSync, constants } from 'node:fs'
import { lstat } from 'node:fs/promises'
import {
  about,
  Refusal,
  type ByteString,
  type EmptyCall,
  type RemoveCall,
  type RestoreCall,
} from '../calls.ts'
import { refuseAbsent } from '../folders.ts'
import { mayRemove } from '../move.ts'
import { refuseTaken } from '../names.ts'
import { local, parentOf, trash } from '../paths.ts'
import { bare } from '../place.ts'
import { isLocked } from '../stat.ts'
import { ids as allIds, originOf, whatOf } from '../trash.ts'
import type { Previewed } from './calls.ts'
import { countTrees, type Met } from './count.ts'
import { areTogether, mayMakeNameIn, mayRename } from './permits.ts'

const mostNamed = 20

/** Previews a removal, for good or to the trash. */
export async function previewRemoval(call: RemoveCall): Promise<Previewed> {
  for (const path of call.paths) await refuseAbsent(path)
  const removed = new Set<ByteString>()
  for (const given of call.paths) {
    const path = bare(given)
    if ([path, ...above(path)].some((one) => removed.has(one))) throw new Refusal('ENOENT', given) // removed with an earlier path
    removed.add(path)
    await (call.trash ? mayThrowAway(path) : refuseMounted(path)).catch(about(given))
  }
  const counted = await countTrees([...removed], call.trash ? { passesClosed: true } : { meet: mayUnlink })
  return { ...counted, paths: call.paths.slice(0, mostNamed).map(bare) }
}

/** Previews restoring entries of the trash. */
export async function previewRestore({ ids }: RestoreCall): Promise<Previewed> {
  const [taken, back] = [new Set<ByteString>(), new Set<string>()]
  const paths: ByteString[] = []
  for (const id of ids) {
    if (back.has(id)) throw new Refusal('ENOENT', id)
    const path = await originOf(id).catch(about(id))
    const folder = await mayMakeNameIn(parentOf(path)).catch(about(path))
    await refuseTaken(path)
    if (taken.has(path)) throw new Refusal('EEXIST', path) // by an earlier entry
    await mayRename(whatOf(id), path, folder)
    for (const one of [path, ...above(path)]) taken.add(one)
    back.add(id)
    paths.push(path)
  }
  return { ...(await countTrees(ids.map(whatOf), { passesClosed: true })), paths: paths.slice(0, mostNamed) }
}

/** Previews removing entries of the trash for good. */
export async function previewEmptying({ ids }: EmptyCall): Promise<Previewed> {
  const chosen = ids ?? (await allIds())
  const removed = new Set<string>()
  for (const id of chosen) {
    if (removed.has(id)) throw new Refusal('ENOENT', id)
    await lstat(local(`${trash}/${id}`)).catch(about(id))
    removed.add(id)
  }
  return { ...(await countTrees(chosen.map(whatOf), { passesClosed: true })), paths: [] }
}

// An entry on another file system is copied to the trash, then removed at its source.
async function mayThrowAway(path: ByteString): Promise<void> {
  const folder = await mayMakeNameIn(trash)
  if (areTogether(parentOf(path), '')) return mayRename(path, `${trash}/what`, folder)
  await mayRemove(path)
}

async function refuseMounted(path: ByteString): Promise<void> {
  if ((await lstat(local(path))).isDirectory() && !areTogether(path, parentOf(path)))
    throw new Refusal('EBUSY', path)
}

// Without a path, as the removal reports it for the whole path that it removes.
function mayUnlink({ path, found }: Met): void {
  accessSync(local(`${parentOf(path)}/.`.replace(/^\//, '')), constants.W_OK | constants.X_OK)
  if (found.isDirectory()) accessSync(local(path), constants.R_OK)
  if (!found.isSymbolicLink() && isLocked(path)) throw new Refusal('EPERM')
}

function above(path: ByteString): readonly ByteString[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
