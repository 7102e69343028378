import { ConflictDialog } from '../dialogs/ConflictDialog.tsx'
import { UploadDock } from './UploadDock.tsx'

/** The transfers and their questions, on every page of the panel. */
export function Transfers() {
  return (
    <>
      <ConflictDialog />
      <UploadDock />
    </>
  )
}
