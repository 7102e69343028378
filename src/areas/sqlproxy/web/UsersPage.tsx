import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type SqlproxyStatus, SqlproxyUserDraft } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { ProxyFrame } from './ProxyFrame.tsx'
import { useStatus } from './queries.ts'

type User = SqlproxyStatus['users'][number]

/** The accounts that connect through the proxy. */
export const UsersPage = () => (
  <ProxyFrame>
    <Users />
  </ProxyFrame>
)

const text = {
  username: { label: 'Name', hint: 'Of an account on each server' },
  password: { label: 'Password', hint: 'The same as on the servers' },
  default_hostgroup: { label: 'Default hostgroup', hint: 'For statements that no rule matches' },
  max_connections: { label: 'Maximum connections' },
  active: { label: 'May connect' },
}

const columnsWith = (edit: (user: User) => void): readonly Column<User>[] => [
  {
    id: 'username',
    title: 'Name',
    value: ({ username }) => username,
    cell: ({ username }) => <span className="anywhere">{username}</span>,
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ active }) => <StateBadge state={active ? 'active' : 'disabled'} />,
  },
  { id: 'hostgroup', title: 'Default hostgroup', cell: ({ default_hostgroup }) => default_hostgroup },
  { id: 'most', title: 'Maximum connections', cell: ({ max_connections }) => max_connections },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (user) => (
      <Button size="xs" variant="default" aria-label={`Edit ${user.username}`} onClick={() => edit(user)}>
        Edit
      </Button>
    ),
  },
]

function Users() {
  const { data: status, ...query } = useStatus()
  const [edited, edit] = useState<User | 'new'>()
  const close = () => edit(undefined)
  const isNew = edited === 'new'
  return (
    <>
      <DataTable
        label="Users"
        columns={columnsWith(edit)}
        query={useWholePage({ ...query, data: status?.users })}
        rowKey={({ username }) => username}
        filters={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => edit('new')}>
            Add a user
          </Button>
        }
        empty={<Empty title="No users yet">Add an account that applications connect with.</Empty>}
      />
      {edited !== undefined && (
        <PlannedForm
          title={isNew ? 'Add a user' : `Edit ${edited.username}`}
          confirmLabel={isNew ? 'Add' : 'Save'}
          schema={SqlproxyUserDraft}
          text={text}
          autoComplete={{ password: 'new-password' }}
          {...(!isNew && { given: { ...edited }, except: ['username'] })}
          callOf={(body: SqlproxyUserDraft) =>
            sqlproxy.setSqlproxyUser({ body: draftOf(isNew ? body : { ...body, username: edited.username }) })
          }
          onClose={close}
          onDone={() => done(close, isNew ? 'The user was added.' : `${edited.username} was changed.`)}
        />
      )}
    </>
  )
}

/** An empty password keeps the former one. */
function draftOf({ password, ...draft }: SqlproxyUserDraft): SqlproxyUserDraft {
  return password ? { ...draft, password } : draft
}
