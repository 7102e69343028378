import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import type { NewPrimary, Replica, SqlReplicationState } from '../model.ts'
import { sqlreplication } from './api.ts'
import { done, useReplicas } from './queries.ts'
import { ReplicaByHand } from './ReplicaByHand.tsx'
import { TopologyOfPrimary } from './Topology.tsx'

const columnsOf = (remove: (replica: Replica) => void): readonly Column<Replica>[] => [
  { id: 'name', title: 'Replica', cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    cell: ({ connected }) => <StateBadge state={connected ? 'active' : 'stopped'} />,
  },
  { id: 'address', title: 'Connected from', cell: ({ address }) => address ?? 'Not connected' },
  { id: 'account', title: 'Account', cell: ({ username }) => <Code>{username}</Code> },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (replica) => (
      <CutOffButton size="xs" onClick={() => remove(replica)} aria-label={`Remove ${replica.name}`}>
        Remove
      </CutOffButton>
    ),
  },
]

interface PrimaryCardsProps {
  readonly state: SqlReplicationState
  readonly onKey: (reply: NewPrimary) => void
}

/** What a primary is: its position, its key, and the servers that follow it. */
export function PrimaryCards({ state, onKey }: PrimaryCardsProps) {
  const { data, ...query } = useReplicas()
  const [isAdding, setAdding] = useState(false)
  const [isRenewing, setRenewing] = useState(false)
  const [removed, setRemoved] = useState<Replica>()
  return (
    <Stack gap="lg">
      <SectionCard title="Primary">
        <Text size="sm" className="anywhere">
          Server id {state.server_id}, at change <Code>{state.gtid || 'none'}</Code>
        </Text>
        {state.sync_key && (
          <Text size="sm">
            The sync key begins with <Code>{state.sync_key.key_prefix}…</Code>, last used:{' '}
            <Moment time={state.sync_key.last_used} />
          </Text>
        )}
        <Group>
          <Button variant="default" onClick={() => setRenewing(true)}>
            Generate another sync key
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add a replica by hand
          </Button>
        </Group>
      </SectionCard>
      <TopologyOfPrimary state={state} replicas={data} />
      <DataTable
        label="Replicas"
        columns={columnsOf(setRemoved)}
        query={{
          ...query,
          data: data && { items: data, total: data.length, page: 1, per_page: data.length },
        }}
        rowKey={({ id }) => id}
        empty={<Empty title="No replicas yet">Connect another panel to this one with the sync key.</Empty>}
      />
      {isRenewing && (
        <ChangeDialog
          title="Generate another sync key"
          confirmLabel="Generate"
          call={sqlreplication.makePrimary({ body: { new_key: true } })}
          onClose={() => setRenewing(false)}
          onDone={(reply: NewPrimary) => {
            onKey(reply)
            return done(() => setRenewing(false), 'The sync key was generated; the former one has ended.')
          }}
        />
      )}
      {isAdding && <ReplicaByHand onClose={() => setAdding(false)} />}
      {removed && (
        <ChangeDialog
          title={`Remove ${removed.name}`}
          confirmLabel="Remove"
          isCutOff
          call={sqlreplication.deleteReplica({ params: { id: removed.id } })}
          onClose={() => setRemoved(undefined)}
          onDone={() => done(() => setRemoved(undefined), `${removed.name} was removed.`)}
        >
          <Text size="sm">It receives nothing more, and keeps its data.</Text>
        </ChangeDialog>
      )}
    </Stack>
  )
}
