import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { calls } from '../calls.ts'
import type { Item, Whose } from '../queries.ts'

interface LockDialogProps {
  readonly item: Item
  readonly whose: Whose
  readonly onClose: () => void
}

/** Locks or unlocks a folder, alone or with everything in it. */
export function LockDialog({ item, whose, onClose }: LockDialogProps) {
  const [isRecursive, setRecursive] = useState(false)
  const isLocking = !item.is_locked
  const verb = isLocking ? 'Lock' : 'Unlock'
  const done = async () => {
    onClose()
    notify(`${item.label} was ${isLocking ? 'locked' : 'unlocked'}.`)
    await readAgain('files')
  }
  return (
    <ChangeDialog
      title={`${verb} ${item.label}`}
      confirmLabel={verb}
      call={calls.lock(whose, item.path, isLocking, isRecursive)}
      onClose={onClose}
      onDone={done}
    >
      {isLocking && (
        <Text size="sm">
          Nothing can be added, renamed or removed in a locked folder, not even by its owner, until it is
          unlocked.
        </Text>
      )}
      <Checkbox
        label="Including its contents"
        checked={isRecursive}
        onChange={(event) => setRecursive(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
