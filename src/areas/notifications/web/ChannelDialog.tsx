import { Checkbox, Modal, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { run } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Channel, ChannelDraft, Channels } from '../model.ts'
import { callOf, draftOf } from './channel-actions.tsx'

const noticeOf = (saved: Channel | undefined): string =>
  saved?.confirmed_at === null
    ? `Confirm ${saved.target}: until then nothing is sent to it.`
    : 'The channel was saved.'

interface ChannelDialogProps {
  readonly all: Channels
  /** Absent for a new one. */
  readonly edited: Channel | undefined
  readonly onClose: () => void
}

/** Adds or edits a channel; the signing key of a new webhook is shown until it is copied. */
export function ChannelDialog({ all, edited, onClose }: ChannelDialogProps) {
  const [type, setType] = useState<Channel['type']>(edited?.type ?? 'email')
  const [target, setTarget] = useState(edited?.target ?? '')
  const [kinds, setKinds] = useState<string[] | undefined>(edited?.kinds?.slice())
  const draft: ChannelDraft = {
    ...(edited && { id: edited.id }),
    type,
    target: target.trim(),
    kinds: kinds ?? null,
    is_enabled: edited?.is_enabled ?? true,
  }
  const others = all.channels.map((each) => (each.id === edited?.id ? draft : draftOf(each)))
  const call = callOf(edited ? others : [...others, draft])
  const saving = useMutation({
    mutationFn: () => run(call),
    gcTime: 0,
    onSuccess: async ({ channels }) => {
      await readAgain('notifications')
      if (!edited && type === 'webhook' && channels.at(-1)?.secret) return
      notify(noticeOf(channels.find(({ target: saved }) => saved === draft.target)))
      onClose()
    },
  })
  const secret = edited ? undefined : saving.data?.channels.at(-1)?.secret
  if (secret)
    return <OnceShownDialog title="New webhook" label="signing key" secret={secret} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const title = edited ? 'Edit the channel' : 'Add a channel'
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md" component="form" onSubmit={submit}>
        {saving.error && <Failure error={saving.error} />}
        {!edited && (
          <NativeSelect
            label="Type"
            data={[
              { value: 'email', label: 'E-mail' },
              { value: 'webhook', label: 'Webhook' },
            ]}
            value={type}
            onChange={(event) => setType(event.currentTarget.value === 'webhook' ? 'webhook' : 'email')}
          />
        )}
        <TextInput
          label={type === 'email' ? 'E-mail address' : 'URL'}
          description={
            type === 'email' ? undefined : 'Receives a POST that is signed as Standard Webhooks says'
          }
          type={type === 'email' ? 'email' : 'url'}
          required
          maxLength={2000}
          data-autofocus
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <Switch
          label="Only some notifications"
          checked={kinds !== undefined}
          onChange={(event) => setKinds(event.currentTarget.checked ? [] : undefined)}
        />
        {kinds && (
          <Checkbox.Group label="Send when" value={kinds} onChange={setKinds}>
            <Stack gap="xs" mt="xs">
              {all.kinds.map(({ name, title: label }) => (
                <Checkbox key={name} value={name} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <FormButtons
          submitLabel={edited ? 'Save the channel' : 'Add the channel'}
          isSending={saving.isPending}
          reviewed={{ call }}
          onCancel={onClose}
        />
      </Stack>
    </Modal>
  )
}
