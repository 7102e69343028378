import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { calls } from '../calls.ts'
import { Names } from './Names.tsx'
import type { Item, Whose } from '../queries.ts'

interface DeleteDialogProps {
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Throws entries into the trash, or removes them for good where that is asked for. */
export function DeleteDialog({ items, whose, onClose, onDone }: DeleteDialogProps) {
  const [isForGood, setForGood] = useState(false)
  const what = items.length === 1 ? (items[0]?.label ?? '') : `${items.length} entries`
  const done = async () => {
    onDone()
    onClose()
    notify(isForGood ? `${what} was deleted for good.` : `${what} went to the trash.`)
    await readAgain('files', 'trash')
  }
  const call = calls.remove(
    whose,
    items.map(({ path }) => path),
    !isForGood,
  )
  return (
    <ChangeDialog
      key={String(isForGood)}
      title={`Delete ${what}`}
      confirmLabel={isForGood ? 'Delete for good' : 'Move to the trash'}
      call={call}
      onClose={onClose}
      onDone={done}
      isRecoverable={!isForGood}
    >
      {items.length > 1 && <Names items={items} />}
      <Checkbox
        label="Delete for good"
        description="Nothing is kept in the trash, and the space is free at once."
        checked={isForGood}
        onChange={(event) => setForGood(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
