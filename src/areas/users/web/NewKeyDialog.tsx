import { Checkbox, Modal, NativeSelect, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { permissions } from '../../../core/permissions.ts'
import type { KeyDraft } from '../model.ts'

/** How new keys are made. */
export interface KeyMaking {
  /** Creates a key and returns its text. */
  readonly create: (draft: KeyDraft) => Promise<{ readonly key: string }>
  /** Makes the request that creates a key, for its plan. */
  readonly creation: (draft: KeyDraft) => Call
}

const lives = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]
const dayMs = 86_400_000

/** Creates a key, with limits if wanted; the key is shown until it is copied. */
export function NewKeyDialog({ create, creation, onClose }: KeyMaking & { readonly onClose: () => void }) {
  const [openedAt] = useState(Date.now)
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [addresses, setAddresses] = useState<string[]>([])
  const [slugs, setSlugs] = useState<string[]>()
  const making = useMutation({ mutationFn: create, gcTime: 0 })
  const draft: KeyDraft = {
    name: name.trim(),
    ...(days !== '' && { expires_at: new Date(openedAt + Number(days) * dayMs).toISOString() }),
    ...(addresses.length > 0 && { allowed_addresses: addresses }),
    ...(slugs && { permissions: slugs }),
  }
  if (making.data)
    return <OnceShownDialog title="New API key" label="API key" secret={making.data.key} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate(draft)
  }
  return (
    <Modal opened onClose={onClose} title="New API key" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md" component="form" onSubmit={submit}>
        {making.error && <Failure error={making.error} />}
        <TextInput
          label="Name"
          description="Purpose of the key"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Expires"
          data={lives}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <TagsInput
          label="Allowed addresses"
          description="Such as 192.0.2.0/24; leave empty to allow all. Type and press Enter."
          splitChars={[',', ' ']}
          maxTags={100}
          acceptValueOnBlur
          value={addresses}
          onChange={setAddresses}
        />
        <Switch
          label="Limit its permissions"
          description="Otherwise it may do all that its user may."
          checked={slugs !== undefined}
          onChange={(event) => setSlugs(event.currentTarget.checked ? [] : undefined)}
        />
        {slugs && (
          <Checkbox.Group label="Permissions of the key" value={slugs} onChange={setSlugs}>
            <Stack gap="xs" mt="xs">
              {Object.entries(permissions).map(([slug, title]) => (
                <Checkbox key={slug} value={slug} label={title} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <FormButtons
          submitLabel="Create the key"
          isSending={making.isPending}
          reviewed={{ call: creation(draft) }}
          onCancel={onClose}
        />
      </Stack>
    </Modal>
  )
}
