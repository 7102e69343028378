import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import type { InstalledApplication } from '../model.ts'

interface InstalledDialogProps {
  readonly installed: InstalledApplication
  readonly onClose: () => void
}

/** Shows the password of a new administrator, if there is one: it is shown nowhere else. */
export function InstalledDialog({ installed, onClose }: InstalledDialogProps) {
  const { domain, administrator, password } = installed
  if (administrator === null || password === null) return null
  return (
    <OnceShownDialog
      title={`Password of ${administrator} on ${domain}`}
      label="password"
      secret={password}
      fileName={`${domain}-${administrator}.txt`}
      onClose={onClose}
    />
  )
}
