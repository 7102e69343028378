import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { queryClient } from '../../../web/queries.ts'
import { activity } from './api.ts'
import type { Entry } from './queries.ts'

/** Undoes the change of an entry, after its plan was shown. */
export function UndoButton({ entry: { id } }: { readonly entry: Entry }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const finish = () => {
    close()
    notify(`Entry ${id} was undone.`)
    void queryClient.invalidateQueries()
  }
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Undo entry ${id}`} onClick={() => setIsOpen(true)}>
        Undo
      </Button>
      {isOpen && (
        <ChangeDialog
          title={`Undo entry ${id}`}
          call={activity.undoChange({ params: { id } })}
          confirmLabel="Undo"
          onClose={close}
          onDone={finish}
        />
      )}
    </>
  )
}
