import { archiveSteps } from './archives.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { arrangeSteps } from './arrange.ts'
import { fileSteps, type OwnerOf } from './files.ts'
import { markSteps } from './mark.ts'
import { trashSteps } from './trash.ts'

/** Every step on a hosting user's files. */
export function filemanagerSteps(ownerOf: OwnerOf, past: HistoryRecorder) {
  return {
    ...fileSteps(ownerOf, past),
    ...arrangeSteps(ownerOf, past),
    ...markSteps(ownerOf),
    ...archiveSteps(ownerOf, past),
    ...trashSteps(ownerOf),
  }
}
