import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { calls } from '../calls.ts'
import { Names } from './Names.tsx'
import type { Item, Whose } from '../queries.ts'
import { stillThere } from './still-there.ts'

interface DeleteDialogProps {
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly onClose: () => void
  readonly onDone: () => void
}

/**
 * Moves entries to the trash or deletes them permanently; a retry continues with the entries that still
 * exist.
 */
export function DeleteDialog({ items, whose, onClose, onDone }: DeleteDialogProps) {
  const [isForGood, setForGood] = useState(false)
  const [left, setLeft] = useState(items)
  const gone = items.length - left.length
  const what = left.length === 1 ? (left[0]?.label ?? '') : `${left.length} entries`
  const end = (text: string) => {
    onDone()
    onClose()
    notify(text)
  }
  const done = async () => {
    end(isForGood ? `${what} was permanently deleted.` : `${what} was moved to the trash.`)
    await readAgain('files', 'trash')
  }
  const look = async (signal: AbortSignal) => {
    const rest = await stillThere(whose, left, signal)
    if (signal.aborted) return
    if (rest.length === 0) end(`${what}: already deleted.`)
    else setLeft(rest)
  }
  const call = calls.remove(
    whose,
    left.map(({ path }) => path),
    !isForGood,
  )
  return (
    <ChangeDialog
      title={`Delete ${what}`}
      confirmLabel={isForGood ? 'Delete permanently' : 'Move to the trash'}
      call={call}
      onClose={onClose}
      onDone={done}
      onFailed={look}
      isRecoverable={!isForGood}
    >
      {gone > 0 && (
        <Text size="sm" role="status">
          Not there any more: {gone} of {items.length}. This is about what is left.
        </Text>
      )}
      {items.length > 1 && <Names items={left} />}
      <Checkbox
        label="Delete permanently"
        description="Bypasses the trash and frees the space at once."
        checked={isForGood}
        onChange={(event) => setForGood(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
