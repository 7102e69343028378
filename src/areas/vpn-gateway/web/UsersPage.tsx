import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type VpnUser, VpnUserDraft } from '../model.ts'
import { ApiKeys } from './ApiKeys.tsx'
import { vpnGateway } from './api.ts'
import { NodeKeys } from './NodeKeys.tsx'
import { done, useUsers } from './queries.ts'
import { VpnFrame } from './VpnFrame.tsx'

/** The users of the mesh, and the keys with which their nodes join. */
export const UsersPage = () => (
  <VpnFrame>
    <Stack gap="lg">
      <Users />
      <NodeKeys />
      <ApiKeys />
    </Stack>
  </VpnFrame>
)

const columnsWith = (remove: (user: VpnUser) => void): readonly Column<VpnUser>[] => [
  {
    id: 'name',
    title: 'User',
    value: ({ name }) => name,
    cell: ({ name }) => <span className="anywhere">{name}</span>,
  },
  { id: 'nodes', title: 'Nodes', value: ({ nodes }) => nodes, cell: ({ nodes }) => nodes },
  { id: 'created', title: 'Created', cell: ({ created_at }) => <Moment time={created_at} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (user) => (
      <CutOffButton
        size="xs"
        aria-label={`Delete ${user.name}`}
        disabled={user.nodes > 0}
        onClick={() => remove(user)}
      >
        Delete
      </CutOffButton>
    ),
  },
]

function Users() {
  const [isAdding, setAdding] = useState(false)
  const [removed, remove] = useState<VpnUser>()
  const stop = () => setAdding(false)
  const close = () => remove(undefined)
  return (
    <>
      <DataTable
        label="Users"
        columns={columnsWith(remove)}
        query={useWholePage(useUsers())}
        rowKey={({ id }) => id}
        filters={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add a user
          </Button>
        }
        empty={<Empty title="No users yet">Each node belongs to a user.</Empty>}
      />
      {isAdding && (
        <PlannedForm
          title="Add a user"
          confirmLabel="Add"
          schema={VpnUserDraft}
          text={{ name: { label: 'Name', hint: 'Lower-case letters, digits, dots, - and _' } }}
          callOf={(body: { name: string }) => vpnGateway.createVpnUser({ body })}
          onClose={stop}
          onDone={() => done(stop, 'The user was added.')}
        />
      )}
      {removed && (
        <ChangeDialog
          title={`Delete ${removed.name}`}
          confirmLabel="Delete"
          call={vpnGateway.deleteVpnUser({ params: { name: removed.name } })}
          onClose={close}
          onDone={() => done(close, `${removed.name} was deleted.`)}
        />
      )}
    </>
  )
}
