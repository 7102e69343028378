import type { StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import type { ArchiveProgress, Owner } from '../../../host/owner/index.ts'
import { messageOf } from '../extraction-summary.ts'
import { extractArchive } from '../extraction.ts'
import { findFreeName, moveToFreeName } from '../free-name.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { namesOf, type TextPath } from '../paths.ts'
import type { OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'
import { entryAt, recordEntry } from './existing-entry.ts'
import { placeOf, reachOf } from './plan-text.ts'

interface CompressArgs {
  readonly username: string
  readonly paths: readonly TextPath[]
  readonly archive: string
  /** Where it is moved to once it is packed; the top of the home if absent. */
  readonly folder?: TextPath
}

interface ExtractArgs {
  readonly username: string
  readonly archive: TextPath
  readonly dest: TextPath
  /** The panel user to record in the history. */
  readonly by?: number
}

/** Returns the steps that pack and unpack archives. A result reaches its destination only after it is completely written, or unpacked and checked. */
export function archiveSteps(ownerOf: OwnerOf, recorder: HistoryRecorder) {
  return {
    compress: ownerStep(ownerOf, {
      name: 'compress',
      title: ({ paths, archive }: CompressArgs) => `Pack ${namesOf(paths)} into ${archive}`,
      preview: previewPacking,
      act: async (owner, { paths, archive, folder }, signal, told) => {
        const onProgress = reportProgress(told, 'packed')
        const { archive: made, bytes } = await owner.archives.compress(paths, archive, { signal, onProgress })
        const used =
          folder === undefined ? made : await moveToFreeName(owner, made, { folder, name: archive })
        return { archive: used.toWellFormed(), bytes }
      },
      observe: async (owner, { archive }) => ({ free: await freeName(owner, archive) }),
      state: async (owner, { folder }, { free }) =>
        free === null || folder !== undefined
          ? 'other'
          : (await entryAt(owner, free))?.type === 'file'
            ? 'wanted'
            : 'before',
    }),
    extract: ownerStep(ownerOf, {
      name: 'extract',
      title: ({ archive, dest }: ExtractArgs) => `Unpack ${archive.path} into ${dest.path || 'the top'}`,
      irreversible:
        'files that it replaces are kept in the history alone, as far as they are not too many or too large',
      preview: async (owner, { archive, dest }) => {
        const look = await lookUntil(AbortSignal.timeout(mostPreviewMs), owner, { archive, dest })
        if (look === undefined) return [tooLarge]
        const keepsAll = look.replacedFiles === 0 && look.replacedOthers === 0
        return { details: messageOf(look), ...(keepsAll && { irreversible: undefined }) }
      },
      act: (_, { by, ...args }, signal, told) =>
        extractArchive(
          recorder,
          { ...args, by: by ?? null },
          { signal, onProgress: reportProgress(told, 'unpacked') },
        ),
      observe: (owner, { dest }) => recordEntry(owner, dest),
      // a new folder is renamed to its destination in one step; an existing one is filled file by file
      state: async (owner, { dest }, { etag }) => {
        if (etag !== null) return 'other'
        return (await entryAt(owner, dest))?.type === 'folder' ? 'wanted' : 'before'
      },
    }),
  }
}

/** Describes the archive that packing would make and its size; throws what packing would throw. */
async function previewPacking(
  owner: Owner,
  { paths, archive, folder }: CompressArgs,
): Promise<readonly string[]> {
  const packed = await owner.preview((one) => one.archives.compress(paths, archive))
  const makes =
    folder === undefined ? placeOf(packed) : `Makes ${await findFreeName(owner, { folder, name: archive })}`
  return [makes, `Packs ${reachOf(packed)}`]
}

/** Limit on reading an archive for a plan. Early failures are still found, and a large archive does not delay the caller. */
const mostPreviewMs = 5000
const tooLarge = 'The archive is too large to be read for a plan: its result tells what it made and replaced'

/** Reads what an archive would make and replace; undefined if the signal ends that. */
export async function lookUntil(
  signal: AbortSignal,
  owner: Owner,
  { archive, dest }: Pick<ExtractArgs, 'archive' | 'dest'>,
) {
  try {
    return await owner.archives.look(archive, dest, { signal })
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw error
    return undefined
  }
}

const reportEveryMs = 500

function reportProgress(
  { progress }: Pick<StepRun<unknown>, 'progress'>,
  verb: string,
): (done: ArchiveProgress) => void {
  let reportedAt = -Infinity
  return ({ entries, readBytes, archiveBytes }) => {
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    const percent = archiveBytes === 0 ? null : Math.min(99, (readBytes / archiveBytes) * 100)
    progress(percent, entries === 0 ? 'Working' : `${entries} entries ${verb}`)
  }
}

const mostTaken = 100

/** Returns the first free name for an archive; null if none of the candidates is free. */
async function freeName(owner: Owner, archive: string): Promise<TextPath | null> {
  for (let suffix = 0; suffix <= mostTaken; suffix++) {
    const name = { field: 'archive_name', path: suffix === 0 ? archive : `${archive}.${suffix}` }
    if ((await entryAt(owner, name)) === undefined) return name
  }
  return null
}
