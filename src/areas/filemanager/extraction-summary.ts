import type { ArchiveLook } from '../../host/owner/index.ts'
import { maxReplaced } from '../../host/owner/index.ts'
import { counted, firstOf } from './count-text.ts'

/** Describes the result of an extraction as sentences for its plan. */
export function messageOf({
  bytes,
  files,
  folders,
  replacedFiles,
  replacedOthers,
  paths,
}: ArchiveLook): readonly string[] {
  const sentences = [
    `Makes ${counted(files, 'file')} and ${counted(folders, 'folder')}; ${counted(bytes, 'byte')} in all`,
  ]
  if (replacedFiles > 0) {
    sentences.push(
      `Replaces ${counted(replacedFiles, 'file')}: ${firstOf(paths, replacedFiles)}. What they hold goes into the history, unless it stays the same`,
    )
  }
  if (replacedFiles > maxReplaced)
    sentences.push(
      `The history keeps ${counted(maxReplaced, 'file')} of them at most: of up to ${counted(replacedFiles - maxReplaced, 'file')} nothing is kept`,
    )
  if (replacedOthers > 0)
    sentences.push(`Replaces ${counted(replacedOthers, 'link')}, which the history does not keep`)
  return sentences
}
