import { archiveSteps } from './archives.ts'
import { arrangeSteps } from './arrange.ts'
import { fileSteps, type OwnerOf } from './files.ts'
import { trashSteps } from './trash.ts'

/** Every step on a hosting user's files. */
export function filemanagerSteps(ownerOf: OwnerOf) {
  return { ...fileSteps(ownerOf), ...arrangeSteps(ownerOf), ...archiveSteps(ownerOf), ...trashSteps(ownerOf) }
}
