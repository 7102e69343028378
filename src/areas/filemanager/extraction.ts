import type { ArchiveProgress } from '../../host/owner/index.ts'
import type { HistoryRecorder } from './history/history-recorder.ts'
import type { TextPath } from './paths.ts'

/** An archive to extract and the panel user who requested it; `by` is null if the requester is no longer known. */
export interface Extraction {
  readonly username: string
  readonly archive: TextPath
  readonly dest: TextPath
  readonly by: number | null
}

/** The result of an extraction. */
export interface Extracted {
  readonly files: number
  readonly size_bytes: number
  /** Existing files that had different content. */
  readonly replaced: number
  /** Replaced files without a version in the history, because there were too many at once. */
  readonly not_kept: number
}

interface Options {
  readonly signal: AbortSignal
  readonly onProgress?: (done: ArchiveProgress) => void
}

/** Extracts an archive. The history keeps the files to be replaced just before they are replaced. */
export function extractArchive(
  recorder: HistoryRecorder,
  { username, archive, dest, by }: Extraction,
  options: Options,
): Promise<Extracted> {
  return recorder.replacingMany(
    { username, by, through: 'extract' },
    async (owner, { maxFileBytes, keep }) => {
      let [replaced, not_kept] = [0, 0]
      const keepThose = async (paths: readonly string[], further: number) => {
        const { notKept } = await keep(paths.map((path) => ({ field: dest.field, path })))
        ;[replaced, not_kept] = [paths.length + further, notKept + further]
      }
      const replacing = { compareBytes: maxFileBytes, keep: keepThose }
      const { entries, bytes } = await owner.archives.extract(archive, dest, { ...options, replacing })
      return { files: entries, size_bytes: bytes, replaced, not_kept }
    },
  )
}
