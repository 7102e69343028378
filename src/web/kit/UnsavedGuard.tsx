import { Button, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { DialogFooter } from './DialogFooter.tsx'

/** Asks for confirmation before the reader leaves a page with unsaved changes. */
export function UnsavedGuard({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title="Leave without saving?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm">Your changes on this page will be lost.</Text>
      <DialogFooter>
        <Button variant="default" data-autofocus onClick={blocker.reset}>
          Stay
        </Button>
        <Button color="red.9" onClick={blocker.proceed}>
          Leave without saving
        </Button>
      </DialogFooter>
    </Modal>
  )
}
