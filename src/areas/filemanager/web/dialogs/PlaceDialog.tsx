import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isWithin, parentOf } from '../paths.ts'
import type { Item, Whose } from '../queries.ts'
import { FolderPicker } from './FolderPicker.tsx'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'

interface PlaceDialogProps {
  readonly verb: 'move' | 'copy'
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly showHidden: boolean
  readonly onPlace: (folder: string) => void
  readonly onClose: () => void
}

/** Asks for the destination folder of the selected entries. */
export function PlaceDialog({ verb, items, whose, showHidden, onPlace, onClose }: PlaceDialogProps) {
  const here = parentOf(items[0]?.path ?? '')
  const [folder, setFolder] = useState(here)
  const what = items.length === 1 ? items[0]?.label : `${items.length} entries`
  const into = items.find(({ type, path }) => type === 'folder' && isWithin(folder, path))
  const isHere = verb === 'move' && folder === here
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${verb === 'move' ? 'Move' : 'Copy'} ${what}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <FolderPicker whose={whose} path={folder} showHidden={showHidden} onChoose={setFolder} />
        {into && (
          <Text size="sm" c="var(--mantine-color-error)" className="anywhere" role="alert">
            {into.label} cannot go into itself.
          </Text>
        )}
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={into !== undefined || isHere} onClick={() => onPlace(folder)}>
            {verb === 'move' ? 'Move here' : 'Copy here'}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
