import { Checkbox, Modal, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { mcp } from './api.ts'
import { useCreateKey, useScopes } from './queries.ts'

const lives = [
  { value: '0', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** Creates a key; it is shown until it is copied. */
export function NewMcpKey({ onClose }: { readonly onClose: () => void }) {
  const scopes = useScopes()
  const making = useCreateKey()
  const [name, setName] = useState('')
  const [owner, setOwner] = useState<number | string>('')
  const [chosen, setChosen] = useState<string[]>([])
  const [isReadOnly, setReadOnly] = useState(true)
  const [days, setDays] = useState('90')
  const draft = {
    user_id: Number(owner),
    name: name.trim() || 'mcp-key',
    scopes: chosen,
    read_only: isReadOnly,
    expires_in_days: Number(days),
  }
  if (making.data)
    return (
      <OnceShownDialog title="New MCP key" label="MCP key" secret={making.data.token} onClose={onClose} />
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate(draft)
  }
  return (
    <Modal opened onClose={onClose} title="New MCP key" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md" component="form" onSubmit={submit}>
        {making.error && <Failure error={making.error} />}
        <TextInput
          label="Name"
          description="Purpose of the key, such as the name of the agent"
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label="Owner"
          description="Id of the user in whose name the agent acts, as in the address of the user's page"
          required
          min={1}
          allowDecimal={false}
          value={owner}
          onChange={setOwner}
        />
        <Switch
          label="Read-only"
          description="The agent reads, and changes nothing."
          checked={isReadOnly}
          onChange={(event) => setReadOnly(event.currentTarget.checked)}
        />
        <Checkbox.Group
          label="Scopes"
          description="What the key is limited to; none chosen: all that the owner may do"
          value={chosen}
          onChange={setChosen}
        >
          <Stack gap="xs" mt="xs">
            {scopes.data?.map(({ value, title }) => (
              <Checkbox key={value} value={value} label={title} />
            ))}
          </Stack>
        </Checkbox.Group>
        {scopes.error && <Failure error={scopes.error} onRetry={() => void scopes.refetch()} />}
        <NativeSelect
          label="Expires"
          data={lives}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          Agents never reach sign-in, terminals and keys; a key with limits changes the access of nobody.
        </Text>
        <FormButtons
          submitLabel="Create the key"
          isSending={making.isPending}
          reviewed={{ call: mcp.createKey({ body: draft }) }}
          onCancel={onClose}
        />
      </Stack>
    </Modal>
  )
}
