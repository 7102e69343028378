import { lstat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ChmodCall, type DirsizeCall } from '../calls.ts'
import { isLeftOut, meantBy } from '../chmod.ts'
import { local } from '../paths.ts'
import { bare } from '../place.ts'
import { isLocked } from '../stat.ts'
import type { Previewable, PreviewCall, Previewed } from './calls.ts'
import { countTrees, type Met } from './count.ts'
import { previewArchive, previewCopy, previewMove } from './destination.ts'
import { previewEmptying, previewRemoval, previewRestore } from './removing.ts'
import { previewFile, previewFolder, previewUpload } from './writing.ts'

/** Returns the effect of a call, and fails as it would; nothing is created, changed or removed. */
export async function preview({ of: call }: PreviewCall): Promise<Previewed> {
  try {
    return await previewed(call)
  } catch (error) {
    const { code, path, why } = failureOf(error, 'path' in call ? call.path : undefined)
    throw new Refusal(code, path, why)
  }
}

function previewed(call: Previewable): Promise<Previewed> {
  switch (call.op) {
    case 'write':
      return previewFile(call)
    case 'mkdir':
      return previewFolder(call)
    case 'remove':
      return previewRemoval(call)
    case 'move':
      return previewMove(call)
    case 'copy':
      return previewCopy(call)
    case 'chmod':
      return previewMode(call)
    case 'dirsize':
      return previewSize(call)
    case 'restore':
      return previewRestore(call)
    case 'empty':
      return previewEmptying(call)
    case 'compress':
      return previewArchive(call)
    case 'upload':
      return call.verb === 'open' ? previewUpload() : previewFile(call)
  }
}

async function previewMode(call: ChmodCall): Promise<Previewed> {
  const path = await meantBy(call)
  const found = await lstat(local(path)).catch(about(path))
  if (!call.recursive) {
    mayChangeMode({ path, found })
    return { entries: 1, bytes: 0, isCut: false, paths: [path] }
  }
  let entries = 0
  const meet = (met: Met) => {
    if (
      met.found.isSymbolicLink() ||
      (call.only !== undefined && (call.only === 'folders') !== met.found.isDirectory())
    )
      return
    mayChangeMode(met)
    entries++
  }
  const counted = await countTrees([path], {
    meet,
    passesClosed: true,
    leavesOut: (name, folder) => isLeftOut(folder, name),
  })
  return { ...counted, entries, paths: [path] }
}

function mayChangeMode({ path, found }: Met): void {
  if (found.uid !== process.getuid?.() || isLocked(path)) throw new Refusal('EPERM', path)
}

async function previewSize({ path: given }: DirsizeCall): Promise<Previewed> {
  const path = bare(given)
  if (!(await lstat(local(path)).catch(about(given))).isDirectory()) throw new Refusal('ENOTDIR', given)
  return { ...(await countTrees([path], { passesClosed: true })), paths: [path] }
}
