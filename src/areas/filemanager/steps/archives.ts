import type { Owner } from '../../../host/owner/index.ts'
import { messageOf } from '../extraction-summary.ts'
import { extractArchive } from '../extraction.ts'
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
      preview: (owner, { paths, archive }) => previewPacking(owner, paths, archive),
      act: (owner, { paths, archive }, signal) => owner.archives.compress(paths, archive, { signal }),
      observe: async (owner, { archive }) => ({ free: await freeName(owner, archive) }),
      state: async (owner, _, { free }) =>
        free === null ? 'other' : (await entryAt(owner, free))?.type === 'file' ? 'wanted' : 'before',
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
      act: (_, { by, ...args }, signal) => extractArchive(recorder, { ...args, by: by ?? null }, { signal }),
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
export async function previewPacking(
  owner: Owner,
  paths: readonly TextPath[],
  archive: string,
): Promise<readonly string[]> {
  const packed = await owner.preview((one) => one.archives.compress(paths, archive))
  return [placeOf(packed), `Packs ${reachOf(packed)}`]
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
