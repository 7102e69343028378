import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { DocdbUserDraft, type DocdbUsers } from '../model.ts'
import { docdbServer } from './api.ts'
import { useDocdbUsers } from './queries.ts'

type Account = DocdbUsers['users'][number]

const nameOf = ({ user, db }: Account): string => `${user}@${db}`

const columnsWith = (onDelete: (account: Account) => void): Column<Account>[] => [
  {
    id: 'user',
    title: 'Account',
    value: ({ user }) => user,
    cell: ({ user }) => <span className="anywhere">{user}</span>,
  },
  {
    id: 'db',
    title: 'Database',
    value: ({ db }) => db,
    cell: ({ db }) => <span className="anywhere">{db}</span>,
  },
  {
    id: 'roles',
    title: 'Roles',
    value: ({ roles }) => roles.join(', '),
    cell: ({ roles }) => <span className="anywhere">{roles.join(', ') || '–'}</span>,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (account) => (
      <CutOffButton size="xs" aria-label={`Delete ${nameOf(account)}`} onClick={() => onDelete(account)}>
        Delete
      </CutOffButton>
    ),
  },
]

const texts = {
  username: { label: 'Account' },
  password: { label: 'Password' },
  database: { label: 'Database', hint: 'It signs in here, and its role is granted here' },
  role: { label: 'Role', hint: 'read, readWrite, dbAdmin or dbOwner' },
}

/** The accounts of the server with their roles: makes and deletes them. */
export function Accounts({ isRunning }: { readonly isRunning: boolean }) {
  const { data, ...query } = useDocdbUsers()
  const [isCreating, setCreating] = useState(false)
  const [deleted, setDeleted] = useState<Account>()
  const create = (
    <Button disabled={!isRunning} onClick={() => setCreating(true)}>
      New account
    </Button>
  )
  const page = useWholePage({ ...query, data: data?.users })
  return (
    <SectionCard title="Accounts">
      {data?.reason && <Alert color="orange">{data.reason}</Alert>}
      <DataTable
        label="Accounts"
        columns={columnsWith(setDeleted)}
        query={page}
        rowKey={nameOf}
        filters={data && data.users.length > 0 && create}
        empty={<Empty title="No accounts" action={create} />}
      />
      {isCreating && <NewAccount onClose={() => setCreating(false)} />}
      {deleted && <DeleteAccount account={deleted} onClose={() => setDeleted(undefined)} />}
    </SectionCard>
  )
}

const NewAccount = ({ onClose }: { readonly onClose: () => void }) => (
  <PlannedForm
    title="New account"
    confirmLabel="Create the account"
    schema={DocdbUserDraft}
    text={texts}
    autoComplete={{ password: 'new-password' }}
    callOf={(body: DocdbUserDraft) => docdbServer.createUser({ body })}
    onClose={onClose}
    onDone={() => {
      onClose()
      notify('The account was created.')
      return readAgain('docdb-server')
    }}
  />
)

interface DeleteAccountProps {
  readonly account: Account
  readonly onClose: () => void
}

const DeleteAccount = ({ account, onClose }: DeleteAccountProps) => (
  <ChangeDialog
    title={`Delete ${nameOf(account)}`}
    confirmLabel="Delete it"
    call={docdbServer.deleteUser({ params: { username: account.user }, query: { db: account.db } })}
    onClose={onClose}
    onDone={() => {
      onClose()
      notify(`${nameOf(account)} was deleted.`)
      return readAgain('docdb-server')
    }}
  />
)
