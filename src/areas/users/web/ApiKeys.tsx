import { Alert, Button, Card, Code, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import Type from 'typebox'
import { Text as LineOfText } from '../../../core/schemas.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { users } from './api.ts'
import { type ApiKey, createApiKey, useApiKeys } from './queries.ts'

const KeyDraft = Type.Object({
  name: LineOfText(100, {
    minLength: 1,
    expects: 'a name of 1 to 100 characters',
    description: 'Purpose of the key',
  }),
})

/** The API keys of a user; a new key is shown once. */
export function ApiKeys({ uid }: { readonly uid: number }) {
  const keys = useWholePage(useApiKeys(uid))
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
        <Button
          size="xs"
          variant="default"
          aria-label={`Delete the key ${key.name}`}
          onClick={() => setDying(key)}
        >
          Delete
        </Button>
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
        empty={<Empty title="No API keys">A key lets a program act as this user.</Empty>}
      />
      {isCreating && <NewKeyDialog uid={uid} onClose={() => setCreating(false)} />}
      {dying && (
        <ChangeDialog
          title={`Delete the key ${dying.name}`}
          confirmLabel="Delete the key"
          call={users.deleteApiKey({ params: { uid, kid: dying.id } })}
          onClose={() => setDying(undefined)}
          onDone={async () => {
            setDying(undefined)
            notify('The key was deleted.')
            await readAgain('users')
          }}
        >
          <Text size="sm">Programs that use it are rejected from now on.</Text>
        </ChangeDialog>
      )}
    </Stack>
  )
}

function NewKeyDialog({ uid, onClose }: { readonly uid: number; readonly onClose: () => void }) {
  const [key, setKey] = useState<string>()
  return (
    <Modal
      opened
      onClose={onClose}
      title="New API key"
      closeOnClickOutside={!key}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {key === undefined && (
        <SchemaForm
          schema={KeyDraft}
          submitLabel="Create the key"
          onCancel={onClose}
          onSubmit={async ({ name }: { name: string }) => setKey((await createApiKey(uid, name)).key)}
        />
      )}
      {key !== undefined && (
        <Card p={0}>
          <Alert color="orange" mb="md" title="Copy it now">
            The key is not shown again.
          </Alert>
          <Copyable value={key} label="API key" />
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Card>
      )}
    </Modal>
  )
}
