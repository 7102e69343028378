import { Checkbox, Modal, NativeSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { useUsers } from '../../users/web/queries.ts'
import type { Budget } from '../model.ts'
import { mcp } from './api.ts'
import { BudgetFields } from './BudgetFields.tsx'
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
  const users = useUsers({ per_page: 500, sort: 'email' })
  const making = useCreateKey()
  const [name, setName] = useState('')
  const [owner, setOwner] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string[]>([])
  const [isReadOnly, setReadOnly] = useState(true)
  const [approve, setApprove] = useState(false)
  const [budget, setBudget] = useState<Budget>({})
  const [days, setDays] = useState('90')
  const draft = {
    user_id: Number(owner),
    name: name.trim() || 'mcp-key',
    scopes: chosen,
    read_only: isReadOnly,
    approve: approve && !isReadOnly,
    budget,
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
        <Select
          label="Owner"
          description="The user in whose name the agent acts"
          data={users.data?.items.map(({ id, email }) => ({ value: String(id), label: email }))}
          value={owner}
          onChange={setOwner}
          required
          searchable
          nothingFoundMessage="No user has this e-mail address"
        />
        {users.error && <Failure error={users.error} onRetry={() => void users.refetch()} />}
        <Switch
          label="Read-only"
          description="The agent reads, and changes nothing."
          checked={isReadOnly}
          onChange={(event) => setReadOnly(event.currentTarget.checked)}
        />
        {!isReadOnly && (
          <Switch
            label="Changes wait for approval"
            description="A person reviews the plan of each change before it is carried out."
            checked={approve}
            onChange={(event) => setApprove(event.currentTarget.checked)}
          />
        )}
        <ScopeFields value={chosen} onChange={setChosen} />
        <BudgetFields value={budget} onChange={setBudget} />
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

interface ScopeFieldsProps {
  readonly value: string[]
  readonly onChange: (scopes: string[]) => void
}

/** What a key is limited to. */
function ScopeFields({ value: chosen, onChange }: ScopeFieldsProps) {
  const scopes = useScopes()
  return (
    <>
      <Checkbox.Group
        label="Scopes"
        description="What the key is limited to; none chosen: all that the owner may do"
        value={chosen}
        onChange={onChange}
      >
        <Stack gap="xs" mt="xs">
          {scopes.data?.map(({ value, title }) => (
            <Checkbox key={value} value={value} label={title} description={noteOn(value)} />
          ))}
        </Stack>
      </Checkbox.Group>
      {scopes.error && <Failure error={scopes.error} onRetry={() => void scopes.refetch()} />}
    </>
  )
}

/** What a scope allows beyond its permission. */
const noteOn = (scope: string): string | undefined =>
  scope === 'administrative_operations'
    ? 'Also what is for superusers alone, and what needs no permission'
    : undefined
