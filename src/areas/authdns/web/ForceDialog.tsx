import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'

interface ForceDialogProps {
  readonly title: string
  readonly confirmLabel: string
  /** The label of the tick. */
  readonly forceLabel?: string
  readonly callOf: (force: boolean) => Call
  readonly onClose: () => void
  readonly onDone: () => unknown
}

/** Shows the plan of a change of records; what could take the zone offline needs a tick. */
export function ForceDialog({
  title,
  confirmLabel,
  forceLabel = 'Also carry out what could take the zone offline',
  callOf,
  onClose,
  onDone,
}: ForceDialogProps) {
  const [force, setForce] = useState(false)
  return (
    <ChangeDialog
      title={title}
      confirmLabel={confirmLabel}
      call={callOf(force)}
      onClose={onClose}
      onDone={onDone}
    >
      <Checkbox
        label={forceLabel}
        checked={force}
        onChange={(event) => setForce(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
