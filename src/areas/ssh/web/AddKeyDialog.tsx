import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { ApiError } from '../../../web/wire.ts'
import { ssh } from './api.ts'
import { addSshKey } from './queries.ts'

interface AddKeyDialogProps {
  readonly uid: number
  readonly username: string
  readonly onClose: () => void
}

/** Takes a public key as text, as a chosen file, or as a file that is dropped on it. */
export function AddKeyDialog({ uid, username, onClose }: AddKeyDialogProps) {
  const form = useKeyForm({ uid, username, onClose })
  return (
    <Modal
      opened
      onClose={onClose}
      title="Add SSH key"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <Textarea
            label="Public key"
            description={`The content of the file that ends in .pub. Its holder can sign in as ${username}.`}
            placeholder="ssh-ed25519 AAAAC3… name@computer"
            autosize
            minRows={4}
            maxRows={10}
            maxLength={mostCharacters}
            data-autofocus
            value={form.text}
            error={form.issue}
            onChange={({ currentTarget }) => form.enter(currentTarget.value)}
            onDragOver={(event: DragEvent) => event.preventDefault()}
            onDrop={form.drop}
            styles={{ input: { fontFamily: 'monospace', overflowWrap: 'anywhere' } }}
          />
          <Group gap="xs">
            <FileButton onChange={(file) => void form.read(file)} accept=".pub,text/plain">
              {(props) => (
                <Button {...props} size="xs" variant="default">
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text size="xs" c="dimmed">
              or drop it on the field
            </Text>
          </Group>
          {form.failure !== undefined && <Failure error={form.failure} />}
          <FormButtons
            submitLabel="Add the key"
            isSending={form.isSending}
            reviewed={form.reviewed}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const mostCharacters = 16_384

function useKeyForm({ uid, username, onClose }: AddKeyDialogProps) {
  const [text, setText] = useState('')
  const [issue, setIssue] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const enter = (value: string) => {
    setText(value)
    setIssue(undefined)
    setFailure(undefined)
  }
  const read = async (file: File | null | undefined) => {
    if (!file) return
    if (file.size > mostCharacters) setIssue(`${file.name} is too large for a public key`)
    else enter((await file.text()).trim())
  }
  const showAtField = (error: unknown): boolean => {
    const isOfField = error instanceof ApiError && error.field === 'public_key'
    if (isOfField) setIssue(error.reason)
    return isOfField
  }
  const isComplete = () => {
    if (text.trim() === '') setIssue('Paste a public key')
    return text.trim() !== ''
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete()) return
    setSending(true)
    try {
      const { fingerprint, refusals } = await addSshKey(uid, text.trim())
      const isRefused = refusals.length > 0
      notify(
        isRefused
          ? `Added the key ${fingerprint}, but the SSH server refuses ${username}: ${refusals.join('; ')}.`
          : `Added the key ${fingerprint}.`,
        isRefused,
      )
      onClose()
    } catch (error) {
      if (!showAtField(error)) setFailure(error)
      setSending(false)
    }
  }
  return {
    ...{ text, issue, failure, isSending, enter, read, submit },
    drop: (event: DragEvent) => {
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      void read(event.dataTransfer.files[0])
    },
    reviewed: {
      call: ssh.addSshKey({ params: { uid }, body: { public_key: text.trim() } }),
      isComplete,
      showAtField,
    },
  }
}
