import { Button, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'

/** Asks before the reader leaves with unsaved changes; the browser asks when the tab is closed. */
export function UnsavedDialog({ isNeeded }: { readonly isNeeded: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isNeeded,
    enableBeforeUnload: () => isNeeded,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Modal opened onClose={reset} title="Unsaved changes" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        They will be lost if you leave this page.
      </Text>
      <DialogFooter>
        <Button variant="default" onClick={reset} data-autofocus>
          Stay here
        </Button>
        <Button color="red.9" onClick={proceed}>
          Leave without saving
        </Button>
      </DialogFooter>
    </Modal>
  )
}
