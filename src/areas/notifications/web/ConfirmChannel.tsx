import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { run } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Channel } from '../model.ts'
import { notifications } from './api.ts'

/** Opens the dialog that confirms an e-mail address. */
export function ConfirmChannel({ channel }: { readonly channel: Channel }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Confirm ${channel.target}`}
        onClick={() => setOpen(true)}
      >
        Confirm
      </Button>
      {isOpen && <ConfirmDialog channel={channel} onClose={() => setOpen(false)} />}
    </>
  )
}

interface ConfirmDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

function ConfirmDialog({ channel: { id, target }, onClose }: ConfirmDialogProps) {
  const [code, setCode] = useState('')
  const sending = useMutation({ mutationFn: () => run(notifications.testChannel({ params: { id } })) })
  const confirming = useMutation({
    mutationFn: () => run(notifications.confirmChannel({ params: { id }, body: { code: code.trim() } })),
    onSuccess: async () => {
      await readAgain('notifications')
      notify(`Notifications are sent to ${target}.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  const error = confirming.error ?? sending.error
  return (
    <Modal opened onClose={onClose} title="Confirm the address" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md" component="form" onSubmit={submit}>
        {error && <Failure error={error} />}
        <Text size="sm" className="anywhere">
          {sending.isSuccess
            ? `A mail with a code was sent to ${target}.`
            : `A mail with a code shows that ${target} wants the notifications.`}
        </Text>
        <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isSuccess ? 'Send the code again' : 'Send the code'}
        </Button>
        <TextInput
          label="Code"
          data-autofocus
          required
          minLength={8}
          maxLength={20}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FormButtons submitLabel="Confirm the address" isSending={confirming.isPending} onCancel={onClose} />
      </Stack>
    </Modal>
  )
}
