import { ConflictDialog } from '../dialogs/ConflictDialog.tsx'
import { UploadDock } from './UploadDock.tsx'

/** What is on its way, and what it asks: on every page of the panel. */
export function Transfers() {
  return (
    <>
      <ConflictDialog />
      <UploadDock />
    </>
  )
}
