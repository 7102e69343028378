import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { SqlproxyStats } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { ProxyFrame } from './ProxyFrame.tsx'
import { useStats } from './queries.ts'
import { serverName } from './server-name.ts'

type Server = SqlproxyStats['backends'][number]
type Statement = SqlproxyStats['statements'][number]

/** The traffic of the proxy, by server and by statement. */
export const StatisticsPage = () => (
  <ProxyFrame>
    <Statistics />
  </ProxyFrame>
)

const shown = (count: number): string => count.toLocaleString('en', { maximumFractionDigits: 1 })

const serverColumns: readonly Column<Server>[] = [
  {
    id: 'name',
    title: 'Server',
    value: serverName,
    cell: (row) => <span className="anywhere">{serverName(row)}</span>,
  },
  { id: 'hostgroup', title: 'Hostgroup', cell: ({ hostgroup_id }) => hostgroup_id },
  {
    id: 'queries',
    title: 'Statements',
    value: ({ queries }) => queries,
    cell: ({ queries }) => shown(queries),
  },
  { id: 'ok', title: 'Connections opened', cell: ({ connections_ok }) => shown(connections_ok) },
  { id: 'failed', title: 'Failed', cell: ({ connections_failed }) => shown(connections_failed) },
  { id: 'latency', title: 'Ping', cell: ({ latency_us }) => `${(latency_us / 1000).toFixed(1)} ms` },
]

const statementColumns: readonly Column<Statement>[] = [
  {
    id: 'text',
    title: 'Statement',
    width: '45%',
    cell: ({ text }) => (
      <Text size="sm" className="anywhere" lineClamp={3}>
        {text}
      </Text>
    ),
  },
  { id: 'user', title: 'User', cell: ({ username }) => <span className="anywhere">{username}</span> },
  { id: 'hostgroup', title: 'Hostgroup', cell: ({ hostgroup_id }) => hostgroup_id },
  { id: 'count', title: 'Count', value: ({ count }) => count, cell: ({ count }) => shown(count) },
  {
    id: 'time',
    title: 'Total time',
    value: ({ time_us }) => time_us,
    cell: ({ time_us }) =>
      time_us < 1e6 ? `${(time_us / 1000).toFixed(1)} ms` : `${shown(time_us / 1e6)} s`,
  },
]

function Statistics() {
  const { data, ...query } = useStats()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const servers = useWholePage({ ...query, data: data?.backends })
  const statements = useWholePage({ ...query, data: data?.statements })
  return (
    <Stack gap="lg">
      {data && (
        <SectionCard title="Clients">
          <Text size="sm">
            {shown(data.questions)} statements, {shown(data.slow_queries)} of them slow.{' '}
            {data.client_connections} clients are connected; {data.client_connections_aborted} connections
            failed or broke.
          </Text>
          <Group>
            <Button variant="default" onClick={() => setAsking(true)}>
              Reset the statistics
            </Button>
          </Group>
        </SectionCard>
      )}
      <DataTable
        label="Traffic by server"
        columns={serverColumns}
        query={servers}
        rowKey={(row) => `${row.hostgroup_id} ${serverName(row)}`}
        empty={<Empty title="No servers yet" />}
      />
      <DataTable
        label="Statements by time"
        columns={statementColumns}
        query={statements}
        rowKey={(row) => `${row.hostgroup_id} ${row.username} ${row.schema} ${row.text}`}
        empty={<Empty title="No statements yet" />}
      />
      {isAsking && (
        <ChangeDialog
          title="Reset the statistics"
          confirmLabel="Reset"
          call={sqlproxy.resetSqlproxyStats()}
          onClose={close}
          onDone={() => done(close, 'The statistics were reset.')}
        />
      )}
    </Stack>
  )
}
