import { Button, Checkbox, FileButton, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { authdns } from './api.ts'
import { ForceDialog } from './ForceDialog.tsx'
import { done } from './ZoneDialogs.tsx'

interface ImportDialogProps {
  /** Absent if the reader names the zone. */
  readonly zone?: string
  readonly onClose: () => void
}

/** Asks for a zone file, and imports it after showing its plan. */
export function ImportDialog({ zone, onClose }: ImportDialogProps) {
  const [name, setName] = useState(zone ?? '')
  const [text, setText] = useState('')
  const [replace, setReplace] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const title = zone === undefined ? 'Import a zone' : `Import into ${zone}`
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!isReviewing}
        closeOnEscape={!isReviewing}
      >
        <Stack gap="md">
          {zone === undefined && (
            <TextInput
              label="Zone"
              description="It is created if it does not exist"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <Textarea
            label="Zone file"
            autosize
            minRows={8}
            maxRows={16}
            styles={{ input: { fontFamily: 'monospace' } }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            {...(zone !== undefined && { 'data-autofocus': true })}
          />
          <Group>
            <FileButton onChange={(file) => void file?.text().then(setText)}>
              {(props) => (
                <Button variant="default" {...props}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Checkbox
              label="Remove record sets that the file does not have"
              checked={replace}
              onChange={(event) => setReplace(event.currentTarget.checked)}
            />
          </Group>
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={name === '' || text === ''} onClick={() => setReviewing(true)}>
              Review changes
            </Button>
          </DialogFooter>
        </Stack>
      </Modal>
      {isReviewing && (
        <ForceDialog
          title={title}
          confirmLabel="Import"
          callOf={(force) =>
            authdns.importDnsZone({
              params: { zone: name },
              query: { force },
              body: { bind_data: text, replace },
            })
          }
          onClose={() => setReviewing(false)}
          onDone={() => done(onClose, 'The zone file was imported.')}
        />
      )}
    </>
  )
}
