import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { anyNetwork, type NewTunnel, type Tunnel } from '../model.ts'
import { CreateDialog, DeleteDialog, EditDialog, ToggleDialog } from './Dialogs.tsx'
import { done, useStatus, useTunnels } from './queries.ts'
import { type Asking, TunnelActions } from './TunnelActions.tsx'

/** Without networks, a tunnel joins the gateways. */
const sidesOf = ({ local_ip, local_subnet, remote_ip, remote_subnet }: Tunnel) =>
  remote_subnet === anyNetwork ? [local_ip, remote_ip] : [local_subnet, remote_subnet]

const columnsOf = (ask: (asking: Asking) => void): readonly Column<Tunnel>[] => [
  {
    id: 'name',
    title: 'Tunnel',
    value: ({ name }) => name,
    cell: ({ name, remote_ip }) => (
      <>
        <Text size="sm" fw={600} className="anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {remote_ip}
        </Text>
      </>
    ),
  },
  {
    id: 'networks',
    title: 'Networks',
    value: ({ remote_subnet }) => remote_subnet,
    cell: (tunnel) => (
      <Text size="sm" className="anywhere">
        {sidesOf(tunnel).join(' ↔ ')}
      </Text>
    ),
  },
  {
    id: 'status',
    title: 'State',
    value: ({ status }) => status,
    cell: ({ status, reason }) => (
      <>
        <StateBadge state={status} />
        {reason !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {reason}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'received',
    title: 'Received',
    value: ({ received_bytes }) => received_bytes,
    cell: ({ received_bytes }) => formatBytes(received_bytes),
  },
  {
    id: 'sent',
    title: 'Sent',
    value: ({ sent_bytes }) => sent_bytes,
    cell: ({ sent_bytes }) => formatBytes(sent_bytes),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (tunnel) => <TunnelActions tunnel={tunnel} onAsk={ask} />,
  },
]

/** The tunnels to other gateways; the installation of strongSwan where it is missing. */
export function IpsecPage() {
  const { data: status, error, refetch } = useStatus()
  const [isCreating, setCreating] = useLinkedDialog('create')
  const isReady = status?.installed === true
  return (
    <Page
      title="IPsec tunnels"
      about={
        isReady
          ? `strongSwan ${status.version}: ${status.up} of ${status.tunnels} enabled tunnels up`
          : 'Tunnels between this host and the gateways of other networks.'
      }
      actions={
        isReady && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            Add a tunnel
          </Button>
        )
      }
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && !isReady && <Empty title={status.reason ?? 'strongSwan is not installed'} />}
      {isReady && <TunnelTable isCreating={isCreating} onCreated={() => setCreating(false)} />}
    </Page>
  )
}

interface TunnelTableProps {
  readonly isCreating: boolean
  readonly onCreated: () => void
}

function TunnelTable({ isCreating, onCreated }: TunnelTableProps) {
  const [asking, ask] = useState<Asking>()
  const [made, setMade] = useState<NewTunnel>()
  const query = useWholePage(useTunnels())
  const close = () => ask(undefined)
  const finish = (tunnel: NewTunnel) => {
    setMade(tunnel)
    return done(onCreated, `${tunnel.name} was added.`)
  }
  return (
    <>
      <DataTable
        label="Tunnels"
        columns={columnsOf(ask)}
        query={query}
        rowKey={({ id }) => id}
        empty={<Empty title="No tunnels yet">Add one to join a network behind another gateway.</Empty>}
      />
      {isCreating && <CreateDialog onClose={onCreated} onDone={finish} />}
      {made && (
        <OnceShownDialog
          title={`Secret of ${made.name}`}
          label="shared secret"
          secret={made.shared_secret}
          onClose={() => setMade(undefined)}
        />
      )}
      {asking?.what === 'edit' && <EditDialog tunnel={asking.tunnel} onClose={close} />}
      {asking?.what === 'toggle' && <ToggleDialog tunnel={asking.tunnel} onClose={close} />}
      {asking?.what === 'delete' && <DeleteDialog tunnel={asking.tunnel} onClose={close} />}
    </>
  )
}
