import { Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { SyncServerDraft, type SyncPushed, type SyncStatus } from '../sync/model.ts'
import { authdns } from './api.ts'
import { DnsFrame } from './DnsFrame.tsx'
import { useDnsStatus, useSyncStatus } from './queries.ts'
import { SyncKeyCard } from './SyncKeyCard.tsx'
import { done } from './ZoneDialogs.tsx'

type Server = SyncStatus['servers'][number]
type Received = SyncStatus['received'][number]

const text = {
  name: { label: 'Name' },
  url: { label: 'Address', hint: 'Of the other panel, such as https://ns2.example.com:2087' },
  api_key: { label: 'Sync key', hint: 'Generated on the same page of the other panel' },
}

const countOf = ({ zones }: Server, status: string) => zones.filter((zone) => zone.status === status).length

const columnsOf = (remove: (server: Server) => void): readonly Column<Server>[] => [
  { id: 'name', title: 'Server', cell: ({ name }) => name },
  { id: 'url', title: 'Address', cell: ({ url }) => url },
  {
    id: 'zones',
    title: 'Zones in sync',
    cell: (server) => `${countOf(server, 'synced')} of ${server.zones.length}`,
  },
  { id: 'failed', title: 'Last failure', cell: failureOf },
  { id: 'last', title: 'Last push', cell: ({ last_sync }) => <Moment time={last_sync} /> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (server) => (
      <CutOffButton size="xs" onClick={() => remove(server)} aria-label={`Remove ${server.name}`}>
        Remove
      </CutOffButton>
    ),
  },
]

function failureOf({ zones }: Server): string {
  const failed = zones.find(({ status }) => status === 'failed')
  return failed === undefined ? 'None' : `${failed.name}: ${failed.message ?? ''}`
}

const receivedColumns: readonly Column<Received>[] = [
  { id: 'name', title: 'Zone', cell: ({ name }) => name },
  {
    id: 'serial',
    title: 'Serial there',
    cell: ({ serial, absent }) => (absent ? 'Removed' : serial),
  },
  { id: 'at', title: 'Received', cell: ({ received_at }) => <Moment time={received_at} /> },
]

const whole = <Row,>(items: readonly Row[] | undefined) =>
  items && { items, total: items.length, page: 1, per_page: items.length }

/** The panels that zones are pushed to, those that were received, and the key of this panel. */
export function SyncPage() {
  const { data: status } = useDnsStatus()
  const { data, ...query } = useSyncStatus(status?.installed === true)
  const [isAdding, setAdding] = useState(false)
  const [isPushing, setPushing] = useState(false)
  const [removed, setRemoved] = useState<Server>()
  return (
    <DnsFrame
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            disabled={!data || data.servers.length === 0}
            onClick={() => setPushing(true)}
          >
            Push zones
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add a sync server
          </Button>
        </>
      }
    >
      <Stack gap="lg">
        <DataTable
          label="Sync servers"
          columns={columnsOf(setRemoved)}
          query={{ ...query, data: whole(data?.servers) }}
          rowKey={({ id }) => id}
          empty={<Empty title="No sync servers yet">Add a panel that gets the zones of this one.</Empty>}
        />
        <SyncKeyCard />
        {data && data.received.length > 0 && (
          <DataTable
            label="Received zones"
            columns={receivedColumns}
            query={{ ...query, data: whole(data.received) }}
            rowKey={({ name }) => name}
            empty={null}
          />
        )}
      </Stack>
      {isAdding && (
        <PlannedForm
          title="Add a sync server"
          confirmLabel="Add"
          schema={SyncServerDraft}
          text={text}
          callOf={(body: SyncServerDraft) => authdns.addDnsSyncServer({ body })}
          onClose={() => setAdding(false)}
          onDone={() => done(() => setAdding(false), 'The sync server was added.')}
        />
      )}
      {isPushing && <PushDialog onClose={() => setPushing(false)} />}
      {removed && (
        <ChangeDialog
          title={`Remove ${removed.name}`}
          confirmLabel="Remove"
          call={authdns.deleteDnsSyncServer({ params: { id: removed.id } })}
          onClose={() => setRemoved(undefined)}
          onDone={() => done(() => setRemoved(undefined), `${removed.name} was removed.`)}
        >
          <Text size="sm">The zones that it has stay there.</Text>
        </ChangeDialog>
      )}
    </DnsFrame>
  )
}

function PushDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ChangeDialog
      title="Push all zones"
      confirmLabel="Push"
      call={authdns.pushDnsZones({ body: {} })}
      onClose={onClose}
      onDone={(reply: SyncPushed) => done(onClose, outcomeOf(reply))}
    />
  )
}

const outcomeOf = ({ results }: SyncPushed): string =>
  results
    .map(({ name, pushed, failed }) =>
      failed === 0
        ? `${name}: ${pushed} zones pushed.`
        : `${name}: ${pushed} zones pushed, ${failed} failed.`,
    )
    .join(' ')
