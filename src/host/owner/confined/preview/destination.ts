import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import {
  about,
  failureOf,
  Refusal,
  type ByteString,
  type CompressCall,
  type CopyCall,
  type MoveCall,
} from '../calls.ts'
import { maxSuffix, presentOf, unreadable } from '../compress.ts'
import { mayRemove } from '../move.ts'
import { isReserved, local, parentOf } from '../paths.ts'
import { placeFor } from '../place.ts'
import { sevenZip } from '../seven-zip.ts'
import { isLocked, typeOf } from '../stat.ts'
import { requireTool } from '../tool.ts'
import type { Previewed } from './calls.ts'
import { countTrees, type Met } from './count.ts'
import { areTogether, mayChangeIn, mayRead, mayRename, mayReplace } from './permits.ts'

/** Previews a move: to another file system it copies, and removes the source. */
export async function previewMove(call: MoveCall): Promise<Previewed> {
  const { from, to } = await placeFor(call)
  if (!areTogether(parentOf(from), parentOf(to))) {
    await mayRemove(from)
    return previewCopyOf({ from, to }, mayLeave)
  }
  await mayRename(from, to)
  return { entries: 1, bytes: 0, isCut: false, ...(await placeAt(to)) }
}

/** Previews a copy. */
export async function previewCopy(call: CopyCall): Promise<Previewed> {
  return previewCopyOf(await placeFor(call), mayRead)
}

/** Previews packing. The archive gets the first free name. */
export async function previewArchive(call: CompressCall): Promise<Previewed> {
  const paths = await presentOf(call)
  if (call.format === '7z') sevenZip()
  else if (call.format !== 'zip') requireTool('tar')
  if (call.format === 'tar.xz') requireTool('xz')
  await mayChangeIn('')
  const counted = await countTrees(paths, { meet: mayRead, leavesOut: isReserved }).catch(unreadable)
  return { ...counted, paths: [await freeName(call.archive)] }
}

async function previewCopyOf(
  { from, to }: { readonly from: ByteString; readonly to: ByteString },
  meet: (met: Met) => void,
): Promise<Previewed> {
  const found = await lstat(local(from)).catch(about(from))
  if (!found.isDirectory() && !found.isFile() && !found.isSymbolicLink())
    throw new Refusal('NOTREGULAR', from)
  await mayChangeIn(parentOf(to)).catch(about(parentOf(to)))
  const place = await placeAt(to)
  return { ...(await countTrees([from], { meet, leavesOut: isReserved })), ...place }
}

async function placeAt(to: ByteString): Promise<Pick<Previewed, 'paths' | 'replaced'>> {
  const existing = await existingAt(to)
  await mayReplace(to, existing).catch(about(to))
  return { paths: [to], ...(existing && { replaced: { type: typeOf(existing), size: existing.size } }) }
}

async function existingAt(path: ByteString): Promise<Stats | undefined> {
  return lstat(local(path)).catch((error: unknown) =>
    failureOf(error).code === 'ENOENT' ? undefined : about(path)(error),
  )
}

function mayLeave(met: Met): void {
  mayRead(met)
  if (!met.found.isSymbolicLink() && isLocked(met.path)) throw new Refusal('LOCKED', met.path)
}

async function freeName(archive: ByteString): Promise<ByteString> {
  for (let suffix = 0; suffix <= maxSuffix; suffix++) {
    const name = suffix === 0 ? archive : `${archive}.${suffix}`
    if ((await existingAt(name)) === undefined) return name
  }
  throw new Refusal('EEXIST', archive, `its names up to .${maxSuffix} are taken, too`)
}
