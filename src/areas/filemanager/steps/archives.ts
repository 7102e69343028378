import type { Owner } from '../../../host/owner/index.ts'
import { messageOf } from '../extraction-summary.ts'
import { extractArchive } from '../extraction.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { namesOf, type TextPath } from '../paths.ts'
import type { OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'
import { standing, standingAt } from './standing.ts'
import { placeOf, reachOf } from './plan-text.ts'

interface CompressArgs {
  readonly username: string
  readonly paths: readonly TextPath[]
  readonly archive: string
}

interface ExtractArgs {
  readonly username: string
  readonly archive: TextPath
  readonly dest: TextPath
  /** The panel user who does it, for the history. */
  readonly by?: number
}

/** The steps that pack and unpack archives. Nothing takes its place before all of it was written, or unpacked and checked. */
export function archiveSteps(ownerOf: OwnerOf, past: HistoryRecorder) {
  return {
    compress: ownerStep(ownerOf, {
      name: 'compress',
      title: ({ paths, archive }: CompressArgs) => `Pack ${namesOf(paths)} into ${archive}`,
      preview: (owner, { paths, archive }) => previewPacking(owner, paths, archive),
      act: (owner, { paths, archive }, signal) => owner.archives.compress(paths, archive, { signal }),
      observe: async (owner, { archive }) => ({ free: await freeName(owner, archive) }),
      state: async (owner, _, { free }) =>
        free === null ? 'other' : (await standing(owner, free))?.type === 'file' ? 'wanted' : 'before',
    }),
    extract: ownerStep(ownerOf, {
      name: 'extract',
      title: ({ archive, dest }: ExtractArgs) => `Unpack ${archive.path} into ${dest.path || 'the top'}`,
      irreversible:
        'files that it replaces are kept in the history alone, as far as they are not too many or too large',
      preview: async (owner, { archive, dest }) => {
        const look = await owner.archives.look(archive, dest)
        const keepsAll = look.replacedFiles === 0 && look.replacedOthers === 0
        return { details: messageOf(look), ...(keepsAll && { irreversible: undefined }) }
      },
      act: (_, { by, ...args }, signal) => extractArchive(past, { ...args, by: by ?? null }, { signal }),
      observe: (owner, { dest }) => standingAt(owner, dest),
      // a new folder takes its place as a whole; one that stood there is filled file by file
      state: async (owner, { dest }, { etag }) => {
        if (etag !== null) return 'other'
        return (await standing(owner, dest))?.type === 'folder' ? 'wanted' : 'before'
      },
    }),
  }
}

/** What packing would make, and of how much; refuses what it would refuse. */
export async function previewPacking(
  owner: Owner,
  paths: readonly TextPath[],
  archive: string,
): Promise<readonly string[]> {
  const packed = await owner.preview((one) => one.archives.compress(paths, archive))
  return [placeOf(packed), `Packs ${reachOf(packed)}`]
}

const mostTaken = 100

/** The first name that an archive can take; null where none of many is free. */
async function freeName(owner: Owner, archive: string): Promise<TextPath | null> {
  for (let suffix = 0; suffix <= mostTaken; suffix++) {
    const name = { field: 'archive_name', path: suffix === 0 ? archive : `${archive}.${suffix}` }
    if ((await standing(owner, name)) === undefined) return name
  }
  return null
}
