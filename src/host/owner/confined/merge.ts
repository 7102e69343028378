import { lstat, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { about, Refusal, type ByteString } from './calls.ts'
import { join, local, parentOf } from './paths.ts'
import type { CallRun } from './session.ts'

/** Moves a finished tree into place: as a whole where nothing stands, else entry by entry, files replaced, folders joined. */
export async function mergeTree(scratch: ByteString, given: ByteString, run: CallRun): Promise<void> {
  const dest = given.replace(/\/+$/, '')
  const kind = await kindOf(dest, true)
  if (kind === 'other') throw new Refusal('ENOTDIR', dest)
  if (kind === 'none') {
    if (parentOf(dest) !== '') await mkdir(local(parentOf(dest)), { recursive: true }).catch(about(parentOf(dest)))
    return rename(local(scratch), local(dest)).catch(about(dest))
  }
  const moves: Move[] = []
  await planMoves(scratch, dest, moves)
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  for (const move of moves) await rename(local(move.from), local(move.to)).catch(about(move.to))
}

interface Move {
  readonly from: ByteString
  readonly to: ByteString
}

// All clashes are found before the first entry is moved.
async function planMoves(from: ByteString, to: ByteString, moves: Move[]): Promise<void> {
  for (const name of await readdir(local(from), { encoding: 'latin1' })) {
    const [source, target] = [join(from, name), join(to, name)]
    const isFolder = (await lstat(local(source))).isDirectory()
    const standing = await kindOf(target, false)
    if (isFolder && standing === 'folder') await planMoves(source, target, moves)
    else if (standing === 'none' || (!isFolder && standing === 'other')) moves.push({ from: source, to: target })
    else
      throw new Refusal('EEXIST', target, isFolder ? 'a file stands where the archive has a folder' : 'a folder stands where the archive has a file')
  }
}

async function kindOf(path: ByteString, followLink: boolean): Promise<'none' | 'folder' | 'other'> {
  try {
    const found = await (followLink ? stat : lstat)(local(path))
    return found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
    return about(path)(error)
  }
}
