import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { type Database, type DatabaseUser, DatabaseUserDraft } from '../model.ts'
import { databases } from './api.ts'
import { readDatabasesAgain, useDatabaseUsers } from './queries.ts'

interface UsersDialogProps {
  readonly database: Database
  readonly onClose: () => void
}

interface Asked {
  readonly kind: 'add' | 'reset' | 'remove' | 'shown'
  readonly username: string
  readonly password?: string
}

/** The users of a database: adds and removes them, and resets their passwords. */
export function UsersDialog({ database, onClose }: UsersDialogProps) {
  const { data, ...query } = useDatabaseUsers(database.id)
  const [asked, setAsked] = useState<Asked>()
  const page = data && { items: data.users, total: data.users.length, page: 1, per_page: data.users.length }
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={`Users of ${database.name}`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!asked}
        closeOnEscape={!asked}
      >
        <Stack gap="md">
          <DataTable
            label="Users of the database"
            columns={columns(setAsked)}
            query={{ ...query, data: page }}
            rowKey={({ username, host }) => `${username}@${host}`}
            empty={<Empty title="No users">Nobody can sign in to this database.</Empty>}
          />
          <DialogFooter>
            <Button variant="default" onClick={onClose} data-autofocus>
              Close
            </Button>
            <Button onClick={() => setAsked({ kind: 'add', username: '' })}>Add a user</Button>
          </DialogFooter>
        </Stack>
      </Modal>
      {asked && <UserDialog database={database} asked={asked} onAsk={setAsked} />}
    </>
  )
}

const columns = (ask: (asked: Asked) => void): Column<DatabaseUser>[] => [
  { id: 'username', title: 'User', cell: ({ username }) => username },
  { id: 'host', title: 'Connects from', cell: ({ host }) => (host === '%' ? 'any host' : host) },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ username }) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Reset password of ${username}`}
          onClick={() => ask({ kind: 'reset', username })}
        >
          Reset password
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Remove ${username}`}
          onClick={() => ask({ kind: 'remove', username })}
        >
          Remove
        </CutOffButton>
      </Group>
    ),
  },
]

interface UserDialogProps {
  readonly database: Database
  readonly asked: Asked
  readonly onAsk: (asked: Asked | undefined) => void
}

function UserDialog({ database: { id }, asked: { kind, username, password = '' }, onAsk }: UserDialogProps) {
  const close = () => onAsk(undefined)
  const done = (text: string) => () => {
    close()
    notify(text)
    void readDatabasesAgain()
  }
  const params = { id, username }
  if (kind === 'shown')
    return (
      <OnceShownDialog
        title={`New password of ${username}`}
        label="password"
        secret={password}
        onClose={close}
      />
    )
  if (kind === 'add')
    return (
      <PlannedForm
        title="Add a user"
        confirmLabel="Add the user"
        schema={DatabaseUserDraft}
        text={userTexts}
        autoComplete={{ password: 'new-password' }}
        callOf={(body: DatabaseUserDraft) => databases.addDatabaseUser({ params: { id }, body })}
        onClose={close}
        onDone={done('The user was added.')}
      />
    )
  if (kind === 'remove')
    return (
      <ChangeDialog
        title={`Remove ${username}`}
        confirmLabel="Remove the user"
        call={databases.removeDatabaseUser({ params })}
        onClose={close}
        onDone={done(`${username} was removed.`)}
      />
    )
  return (
    <ChangeDialog
      title={`Reset the password of ${username}`}
      confirmLabel="Reset the password"
      isCutOff
      call={databases.resetDatabasePassword({ params, body: {} })}
      onClose={close}
      onDone={(reply: { readonly password: string }) =>
        onAsk({ kind: 'shown', username, password: reply.password })
      }
    />
  )
}

const userTexts = {
  username: { label: 'User', hint: 'The name of the owner is put before it, with _' },
  password: { label: 'Password' },
  host: { label: 'Connects from', hint: 'localhost, an address, or % for any host' },
}
