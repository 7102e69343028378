import { Badge, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type VpnNode, VpnNodeAddress } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, useNodes } from './queries.ts'
import { VpnFrame } from './VpnFrame.tsx'

/** The nodes of the mesh. */
export const NodesPage = () => (
  <VpnFrame>
    <Nodes />
  </VpnFrame>
)

interface Asking {
  readonly what: 'address' | 'expire' | 'delete'
  readonly node: VpnNode
}

const stateOf = ({ expired, online }: VpnNode): string =>
  expired ? 'expired' : online ? 'online' : 'offline'

const columnsWith = (ask: (asking: Asking) => void): readonly Column<VpnNode>[] => [
  {
    id: 'name',
    title: 'Node',
    value: ({ name }) => name,
    cell: ({ name, is_local }) => (
      <Group gap={6}>
        <span className="anywhere">{name}</span>
        {is_local && <Badge variant="light">This host</Badge>}
      </Group>
    ),
  },
  {
    id: 'user',
    title: 'User',
    value: ({ user }) => user ?? '',
    cell: ({ user, tags }) => user ?? tags.join(', '),
  },
  {
    id: 'state',
    title: 'State',
    value: stateOf,
    cell: (node) => <StateBadge state={stateOf(node)} />,
  },
  {
    id: 'addresses',
    title: 'Addresses',
    cell: ({ addresses }) => (
      <Stack gap={0}>
        {addresses.map((address) => (
          <span key={address} className="anywhere">
            {address}
          </span>
        ))}
      </Stack>
    ),
  },
  { id: 'routes', title: 'Routes', cell: ({ routes }) => routes.join(', ') || 'None' },
  {
    id: 'seen',
    title: 'Last seen',
    cell: ({ online, last_seen }) => (online ? 'Now' : <Moment time={last_seen} />),
  },
  { id: 'expires', title: 'Expires', cell: ({ expires_at }) => <Moment time={expires_at} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (node) => (
      <Group gap={4} justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Change the address of ${node.name}`}
          onClick={() => ask({ what: 'address', node })}
        >
          Address
        </Button>
        {!node.expired && (
          <CutOffButton
            size="xs"
            aria-label={`Expire ${node.name}`}
            onClick={() => ask({ what: 'expire', node })}
          >
            Expire
          </CutOffButton>
        )}
        <CutOffButton
          size="xs"
          aria-label={`Delete ${node.name}`}
          onClick={() => ask({ what: 'delete', node })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

function Nodes() {
  const [asking, ask] = useState<Asking>()
  return (
    <>
      <DataTable
        label="Nodes"
        columns={columnsWith(ask)}
        query={useWholePage(useNodes())}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No nodes yet">Make a key under Users and keys, and join a computer with it.</Empty>
        }
      />
      {asking && <NodeDialog {...asking} onClose={() => ask(undefined)} />}
    </>
  )
}

function NodeDialog({ what, node, onClose }: Asking & { readonly onClose: () => void }) {
  const params = { id: node.id }
  if (what === 'address')
    return (
      <PlannedForm
        title={`Change the address of ${node.name}`}
        confirmLabel="Change"
        schema={VpnNodeAddress}
        text={{ ip: { label: 'Address', hint: 'IPv4 or IPv6, in the network of the mesh' } }}
        given={{ ip: node.addresses[0] ?? '' }}
        callOf={(body: { ip: string }) => vpnGateway.setVpnNodeAddress({ params, body })}
        onClose={onClose}
        onDone={() => done(onClose, `The address of ${node.name} was changed.`)}
      />
    )
  const isExpiring = what === 'expire'
  return (
    <ChangeDialog
      title={`${isExpiring ? 'Expire' : 'Delete'} ${node.name}`}
      confirmLabel={isExpiring ? 'Expire' : 'Delete'}
      isCutOff
      call={isExpiring ? vpnGateway.expireVpnNode({ params }) : vpnGateway.deleteVpnNode({ params })}
      onClose={onClose}
      onDone={() => done(onClose, `${node.name} was ${isExpiring ? 'expired' : 'deleted'}.`)}
    />
  )
}
