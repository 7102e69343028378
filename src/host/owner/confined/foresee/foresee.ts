import { lstat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ChmodCall, type DirsizeCall } from '../calls.ts'
import { meantBy } from '../chmod.ts'
import { isReserved, local } from '../paths.ts'
import { bare } from '../place.ts'
import { isLocked } from '../stat.ts'
import type { Foreseeable, ForeseeCall, Foreseen } from './calls.ts'
import { countTrees, type Met } from './count.ts'
import { foreseeArchive, foreseeCopy, foreseeMove } from './placing.ts'
import { foreseeEmptying, foreseeRemoval, foreseeRestore } from './removing.ts'
import { foreseeFile, foreseeFolder, foreseeUpload } from './writing.ts'

/** Tells what a call would do, and fails as it would; nothing is made, changed or removed. */
export async function foresee({ of: call }: ForeseeCall): Promise<Foreseen> {
  try {
    return await foreseen(call)
  } catch (error) {
    const { code, path, why } = failureOf(error, 'path' in call ? call.path : undefined)
    throw new Refusal(code, path, why)
  }
}

function foreseen(call: Foreseeable): Promise<Foreseen> {
  switch (call.op) {
    case 'write':
      return foreseeFile(call)
    case 'mkdir':
      return foreseeFolder(call)
    case 'remove':
      return foreseeRemoval(call)
    case 'move':
      return foreseeMove(call)
    case 'copy':
      return foreseeCopy(call)
    case 'chmod':
      return foreseeMode(call)
    case 'dirsize':
      return foreseeSize(call)
    case 'restore':
      return foreseeRestore(call)
    case 'empty':
      return foreseeEmptying(call)
    case 'compress':
      return foreseeArchive(call)
    case 'upload':
      return call.verb === 'open' ? foreseeUpload() : foreseeFile(call)
  }
}

async function foreseeMode(call: ChmodCall): Promise<Foreseen> {
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
  const counted = await countTrees([path], { meet, passesClosed: true, leavesOut: isReserved })
  return { ...counted, entries, paths: [path] }
}

function mayChangeMode({ path, found }: Met): void {
  if (found.uid !== process.getuid?.() || isLocked(path)) throw new Refusal('EPERM', path)
}

async function foreseeSize({ path: given }: DirsizeCall): Promise<Foreseen> {
  const path = bare(given)
  if (!(await lstat(local(path)).catch(about(given))).isDirectory()) throw new Refusal('ENOTDIR', given)
  return { ...(await countTrees([path], { passesClosed: true })), paths: [path] }
}
