import { lstat, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { about, Refusal, type ByteString, type ExtractCall, type ReplacedFiles } from './calls.ts'
import { join, local, parentOf } from './paths.ts'
import { type EqualFiles, type Move, replacedFiles, versionAt } from './replaced.ts'
import type { CallRun } from './session.ts'

/**
 * Moves a complete tree to its destination: as a whole if that does not exist, otherwise entry by entry, replacing files and merging folders.
 * If the caller asked for the list of replaced files, nothing is moved before they have confirmed it. `beat` is called on progress.
 */
export async function mergeTree(
  scratch: ByteString,
  call: ExtractCall,
  run: CallRun,
  beat: () => void,
): Promise<void> {
  const dest = call.dest.replace(/\/+$/, '')
  const kind = await kindOf(dest, true)
  if (kind !== 'none' && kind !== 'folder') throw new Refusal('ENOTDIR', dest)
  if (kind === 'none') {
    if (parentOf(dest) !== '')
      await mkdir(local(parentOf(dest)), { recursive: true }).catch(about(parentOf(dest)))
    return rename(local(scratch), local(dest)).catch(about(dest))
  }
  const moves: Move[] = []
  for await (const move of planMoves(scratch, dest)) {
    moves.push(move)
    beat()
  }
  const { replaced, equal } =
    call.tells === undefined ? nothing : await replacedFiles(moves, call.tells, beat)
  await tell(replaced, run)
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  for (const move of moves)
    if (!(await wasWritten(move, equal))) await rename(local(move.from), local(move.to)).catch(about(move.to))
}

const nothing = { replaced: { paths: [], further: 0 }, equal: new Map<Move, string>() }

// A file with equal content has no version: changes made to it while the others were saved are newer than the archive, and stay.
async function wasWritten(move: Move, equal: EqualFiles): Promise<boolean> {
  const version = equal.get(move)
  if (version === undefined) return false
  const now = await versionAt(move.to)
  return now !== undefined && now !== version
}

// The caller confirms by ending an empty body.
async function tell(replaced: ReplacedFiles, run: CallRun): Promise<void> {
  if (replaced.paths.length + replaced.further === 0) return
  run.head(replaced)
  for await (const part of run.body())
    throw new Refusal('BADPATH', undefined, `${part.length} parts of a body where none was expected`)
}

// All conflicts are found before the first entry is moved.
async function* planMoves(from: ByteString, to: ByteString): AsyncGenerator<Move> {
  for (const name of await readdir(local(from), { encoding: 'latin1' })) {
    const [source, target] = [join(from, name), join(to, name)]
    const isFolder = (await lstat(local(source))).isDirectory()
    const existing = await kindOf(target, false)
    if (isFolder && existing === 'folder') yield* planMoves(source, target)
    else if (existing === 'none' || (!isFolder && existing !== 'folder'))
      yield { from: source, to: target, replacesFile: existing === 'file' }
    else
      throw new Refusal(
        'EEXIST',
        target,
        isFolder
          ? 'a file exists where the archive has a folder'
          : 'a folder exists where the archive has a file',
      )
  }
}

async function kindOf(path: ByteString, followLink: boolean): Promise<'none' | 'folder' | 'file' | 'other'> {
  try {
    const found = await (followLink ? stat : lstat)(local(path))
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
    return about(path)(error)
  }
}
