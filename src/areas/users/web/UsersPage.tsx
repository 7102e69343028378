import { Badge, Button, Group, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { type User, UserDraft } from '../model.ts'
import { createUser, useUsers } from './queries.ts'

const text = {
  email: { label: 'E-mail', hint: 'Used to sign in' },
  password: { label: 'Password', hint: 'At least 10 characters' },
  username: {
    label: 'Linux account',
    hint: 'Required to own websites and files. Leave blank for none.',
  },
  is_admin: { label: 'Full administrator access' },
}

const columns: Column<User>[] = [
  {
    id: 'email',
    title: 'E-mail',
    sort: 'email',
    cell: ({ id, email }) => <TextLink to={`/users/${id}`}>{email}</TextLink>,
  },
  { id: 'name', title: 'Name', sort: 'fullname', cell: ({ fullname }) => fullname },
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
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
]

/** The panel users. */
export function UsersPage() {
  const list = useListState('email')
  const users = useUsers(list.asked)
  const [isCreating, setCreating] = useState(false)
  const create = async (draft: UserDraft) => {
    await createUser(draft)
    setCreating(false)
    notify(`${draft.email} was created.`)
  }
  return (
    <Page
      title="Users"
      about="Accounts and their permissions."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New user
        </Button>
      }
    >
      <DataTable
        label="Users"
        columns={columns}
        query={users}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search users"
        empty={<Empty title="No users found">No user matches.</Empty>}
      />
      <Modal
        opened={isCreating}
        onClose={() => setCreating(false)}
        title="New user"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SchemaForm
          schema={UserDraft}
          text={text}
          submitLabel="Create the user"
          onSubmit={create}
          onCancel={() => setCreating(false)}
        />
      </Modal>
    </Page>
  )
}
