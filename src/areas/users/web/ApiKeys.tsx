import { Button, Code, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { KeyDraft } from '../model.ts'
import type { ApiKey } from './queries.ts'

interface ApiKeysProps {
  readonly keys: Parameters<typeof useWholePage<ApiKey>>[0]
  /** Creates a key and returns its text. */
  readonly create: (name: string) => Promise<{ readonly key: string }>
  /** Makes the request that creates a key, for its plan. */
  readonly creation: (body: { readonly name: string }) => Call
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
    { id: 'name', title: 'Name', cell: ({ name }) => name },
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

interface NewKeyDialogProps extends Pick<ApiKeysProps, 'create' | 'creation'> {
  readonly onClose: () => void
}

function NewKeyDialog({ create, creation, onClose }: NewKeyDialogProps) {
  const [key, setKey] = useState<string>()
  if (key !== undefined)
    return <OnceShownDialog title="New API key" label="API key" secret={key} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title="New API key" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={KeyDraft}
        submitLabel="Create the key"
        reviewOf={creation}
        onCancel={onClose}
        onSubmit={async ({ name }: { name: string }) => setKey((await create(name)).key)}
      />
    </Modal>
  )
}
