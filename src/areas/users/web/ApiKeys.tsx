import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { permissions } from '../../../core/permissions.ts'
import { type KeyMaking, NewKeyDialog } from './NewKeyDialog.tsx'
import type { ApiKey } from './queries.ts'

interface ApiKeysProps extends KeyMaking {
  readonly keys: Parameters<typeof useWholePage<ApiKey>>[0]
  /** Makes the request that deletes a key. */
  readonly deletion: (kid: number) => Call
  readonly onDeleted: () => unknown
  /** Who a key acts as. */
  readonly holder: string
}

/** The API keys of a user; a new key is shown until it is copied. */
export function ApiKeys({ keys: query, create, creation, deletion, onDeleted, holder }: ApiKeysProps) {
  const keys = useWholePage(query)
  const [isCreating, setCreating] = useState(false)
  const [dying, setDying] = useState<ApiKey>()
  const columns: Column<ApiKey>[] = [
    { id: 'name', title: 'Name', cell: (key) => <NameAndLimits apiKey={key} /> },
    {
      id: 'expires',
      title: 'Expires',
      cell: ({ expires_at }) => (expires_at ? <Moment time={expires_at} /> : 'Never'),
    },
    { id: 'prefix', title: 'Begins with', cell: ({ key_prefix }) => <Code>{key_prefix}…</Code> },
    { id: 'used', title: 'Last used', cell: ({ last_used }) => <Moment time={last_used} /> },
    { id: 'created', title: 'Created', cell: ({ created_at }) => <Moment time={created_at} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (key) => (
        <CutOffButton size="xs" aria-label={`Delete the key ${key.name}`} onClick={() => setDying(key)}>
          Delete
        </CutOffButton>
      ),
    },
  ]
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          API keys
        </Title>
        <Button variant="default" onClick={() => setCreating(true)}>
          New key
        </Button>
      </Group>
      <DataTable
        label="API keys"
        columns={columns}
        query={keys}
        rowKey={({ id }) => id}
        empty={<Empty title="No API keys">A key lets a program act as {holder}.</Empty>}
      />
      {isCreating && <NewKeyDialog create={create} creation={creation} onClose={() => setCreating(false)} />}
      {dying && (
        <ChangeDialog
          title={`Delete the key ${dying.name}`}
          confirmLabel="Delete the key"
          call={deletion(dying.id)}
          onClose={() => setDying(undefined)}
          onDone={async () => {
            setDying(undefined)
            notify('The key was deleted.')
            await onDeleted()
          }}
        >
          <Text size="sm">Programs that use it are rejected from now on.</Text>
        </ChangeDialog>
      )}
    </Stack>
  )
}

/** The name of a key, and below it what it may do less than its user. */
function NameAndLimits({ apiKey }: { readonly apiKey: ApiKey }) {
  const { name, allowed_addresses: addresses, permissions: left } = apiKey
  const titles = Object.entries(permissions).flatMap(([slug, title]) => (left?.includes(slug) ? [title] : []))
  return (
    <>
      {name}
      {left && (
        <Text size="xs" c="dimmed">
          {titles.length === 0 ? 'No permissions' : `Only: ${titles.join(', ')}`}
        </Text>
      )}
      {addresses && (
        <Text size="xs" c="dimmed">
          From {addresses.join(', ')}
        </Text>
      )}
    </>
  )
}
