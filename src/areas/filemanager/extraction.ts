import type { ArchiveProgress } from '../../host/owner/index.ts'
import type { HistoryRecorder } from './history/history-recorder.ts'
import type { TextPath } from './paths.ts'

/** An archive that is to be unpacked, and who asks for it; null where that is not known any more. */
export interface Extraction {
  readonly username: string
  readonly archive: TextPath
  readonly dest: TextPath
  readonly by: number | null
}

/** What came of it. */
export interface Extracted {
  readonly files: number
  readonly size_bytes: number
  /** Files that stood there with another content. */
  readonly replaced: number
  /** Those of them that the history has nothing of, as they were too many at once. */
  readonly not_kept: number
}

interface Options {
  readonly signal: AbortSignal
  readonly onProgress?: (done: ArchiveProgress) => void
}

/** Unpacks an archive. The files that it replaces go into the history just before it does. */
export function extractArchive(
  past: HistoryRecorder,
  { username, archive, dest, by }: Extraction,
  options: Options,
): Promise<Extracted> {
  return past.replacingMany({ username, by, through: 'extract' }, async (owner, { maxFileBytes, keep }) => {
    let [replaced, not_kept] = [0, 0]
    const keepThose = async (paths: readonly string[], further: number) => {
      const { notKept } = await keep(paths.map((path) => ({ field: dest.field, path })))
      ;[replaced, not_kept] = [paths.length + further, notKept + further]
    }
    const replacing = { compareBytes: maxFileBytes, keep: keepThose }
    const { entries, bytes } = await owner.archives.extract(archive, dest, { ...options, replacing })
    return { files: entries, size_bytes: bytes, replaced, not_kept }
  })
}
