import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import type { SshKey } from '../model.ts'
import { AddKeyDialog } from './AddKeyDialog.tsx'
import { ssh } from './api.ts'
import { useSshKeys } from './queries.ts'

interface SshKeysProps {
  readonly uid: number
  /** The Linux account that the keys open. */
  readonly username: string
}

/** The SSH keys of a user, with a dialog that adds one and one that deletes one. */
export function SshKeys({ uid, username }: SshKeysProps) {
  const keys = useWholePage(useSshKeys(uid))
  const [isAdding, setAdding] = useState(false)
  const [dying, setDying] = useState<SshKey>()
  return (
    <Stack gap="sm" component="section" aria-label="SSH keys">
      <Group justify="space-between">
        <Title order={2} size="h4">
          SSH keys
        </Title>
        <Button variant="default" onClick={() => setAdding(true)}>
          Add key
        </Button>
      </Group>
      <DataTable
        label="SSH keys"
        columns={columnsWith(setDying)}
        query={keys}
        rowKey={({ id }) => id}
        empty={<Empty title="No SSH keys">A key signs in as {username} without a password.</Empty>}
      />
      {isAdding && <AddKeyDialog uid={uid} username={username} onClose={() => setAdding(false)} />}
      {dying && (
        <ChangeDialog
          title={`Delete the SSH key ${nameOf(dying)}`}
          confirmLabel="Delete the key"
          call={ssh.deleteSshKey({ params: { uid, id: dying.id } })}
          onClose={() => setDying(undefined)}
          onDone={async () => {
            setDying(undefined)
            notify('The key was deleted. Its sessions have ended.')
            await readAgain('ssh-keys')
          }}
        >
          <Text size="sm">The sessions that it has opened end at once.</Text>
        </ChangeDialog>
      )}
    </Stack>
  )
}

const nameOf = ({ comment, fingerprint }: SshKey): string => comment || fingerprint

const columnsWith = (onDelete: (key: SshKey) => void): Column<SshKey>[] => [
  {
    id: 'key',
    title: 'Key',
    cell: (key) => (
      <Stack gap={2} align="flex-start">
        <Group gap="xs">
          {key.comment && <Text size="sm">{key.comment}</Text>}
          {key.has_options && (
            <Badge variant="light" tt="none">
              with options
            </Badge>
          )}
        </Group>
        <Code style={{ overflowWrap: 'anywhere' }}>{key.fingerprint}</Code>
      </Stack>
    ),
  },
  { id: 'type', title: 'Type', cell: ({ type, bits }) => `${shortTypeOf(type)}, ${bits} bits` },
  {
    id: 'used',
    title: 'Last used',
    cell: ({ last_used }) => (last_used ? <Moment time={last_used} /> : 'No record'),
  },
  {
    id: 'added',
    title: 'Added',
    cell: ({ added_at }) => (added_at ? <Moment time={added_at} /> : 'By hand'),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (key) => (
      <CutOffButton size="xs" aria-label={`Delete the key ${nameOf(key)}`} onClick={() => onDelete(key)}>
        Delete
      </CutOffButton>
    ),
  },
]

/** As ssh-keygen -l prints it. */
function shortTypeOf(type: string): string {
  const name = type.includes('ed25519') ? 'Ed25519' : type.includes('ecdsa') ? 'ECDSA' : 'RSA'
  return type.startsWith('sk-') ? `${name} security key` : name
}
