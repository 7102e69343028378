import { archiveSteps } from './archives.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { arrangeSteps } from './arrange.ts'
import { fileSteps, type OwnerOf } from './files.ts'
import { markSteps } from './mark.ts'
import { trashSteps } from './trash.ts'

/** Returns all steps on a hosting user's files. */
export function filemanagerSteps(ownerOf: OwnerOf, recorder: HistoryRecorder) {
  return {
    ...fileSteps(ownerOf, recorder),
    ...arrangeSteps(ownerOf, recorder),
    ...markSteps(ownerOf),
    ...archiveSteps(ownerOf, recorder),
    ...trashSteps(ownerOf),
  }
}
