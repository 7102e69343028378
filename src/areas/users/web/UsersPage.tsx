import { Badge, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { SuspensionState } from '../../../core/schemas.ts'
import { suspensionStates } from '../../../core/suspension.ts'
import { loaded } from '../../../web/connection.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateFilter } from '../../../web/kit/StateFilter.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { User } from '../model.ts'
import { userBulk } from './bulk.ts'
import { useUsers } from './queries.ts'
import { UsersTabs } from './UsersTabs.tsx'

const CreateUser = lazy(() =>
  loaded(() => import('./CreateUser.tsx')).then((page) => ({ default: page.CreateUser })),
)

const columns: Column<User>[] = [
  {
    id: 'email',
    title: 'E-mail',
    sort: 'email',
    value: ({ email }) => email,
    cell: ({ id, email }) => <TextLink to={`/users/${id}`}>{email}</TextLink>,
  },
  {
    id: 'name',
    title: 'Name',
    sort: 'fullname',
    value: ({ fullname }) => fullname,
    cell: ({ fullname }) => fullname,
  },
  { id: 'account', title: 'Account', cell: ({ username }) => username ?? '–' },
  {
    id: 'state',
    title: 'State',
    cell: ({ is_admin, is_suspended }) => (
      <Group gap={6}>
        <StateBadge state={is_suspended ? 'suspended' : 'active'} />
        {is_admin && (
          <Badge variant="light" tt="none">
            Superuser
          </Badge>
        )}
      </Group>
    ),
  },
  {
    id: 'created',
    title: 'Created',
    sort: 'created_at',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
]

/** The panel users. */
export function UsersPage() {
  const list = useListState('email')
  const [state, setState] = useState<SuspensionState>()
  const users = useUsers({ ...list.asked, ...(state && { state }) })
  const [isCreating, setCreating] = useLinkedDialog('new')
  const [isAdding, setAdding] = useState(false)
  return (
    <Page
      title="Users"
      about="Accounts and their permissions."
      actions={
        <>
          <Button variant="default" onClick={() => setAdding(true)}>
            Add existing account
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New user
          </Button>
        </>
      }
    >
      <UsersTabs />
      <DataTable
        label="Users"
        columns={columns}
        query={users}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search users"
        filters={<StateFilter states={suspensionStates} value={state} onChange={setState} list={list} />}
        bulk={userBulk}
        empty={<Empty title="No users found">No user matches.</Empty>}
      />
      <Suspense>
        {isCreating && <CreateUser onClose={() => setCreating(false)} />}
        {isAdding && <CreateUser isExisting onClose={() => setAdding(false)} />}
      </Suspense>
    </Page>
  )
}
