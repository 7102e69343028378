import { Badge, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { SqlproxyBackend } from '../model.ts'
import { ProxyFrame } from './ProxyFrame.tsx'
import { useBackends, useStatus } from './queries.ts'
import { type Asked, ServerDialogs } from './ServerDialogs.tsx'
import { serverName } from './server-name.ts'

/** The SQL servers of the proxy, with their live state. */
export const ServersPage = () => (
  <ProxyFrame>
    <Servers />
  </ProxyFrame>
)

const colors: Readonly<Record<string, string>> = { ONLINE: 'green', SHUNNED: 'red' }
const hostgroups: Readonly<Record<number, string>> = { 0: '0, writes', 1: '1, reads' }

const columnsWith = (ask: (asked: Asked) => void): readonly Column<SqlproxyBackend>[] => [
  {
    id: 'name',
    title: 'Server',
    value: serverName,
    cell: (row) => (
      <div>
        <span className="anywhere">{serverName(row)}</span>
        {row.comment !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {row.comment}
          </Text>
        )}
      </div>
    ),
  },
  {
    id: 'hostgroup',
    title: 'Hostgroup',
    value: ({ hostgroup_id }) => hostgroup_id,
    cell: ({ hostgroup_id }) => hostgroups[hostgroup_id] ?? hostgroup_id,
  },
  { id: 'status', title: 'State', value: ({ status }) => status, cell: (row) => <State server={row} /> },
  { id: 'weight', title: 'Weight', value: ({ weight }) => weight, cell: ({ weight }) => weight },
  {
    id: 'connections',
    title: 'Connections',
    value: ({ connections_used }) => connections_used,
    cell: ({ connections_used: used, connections_free: free, max_connections: most }) =>
      `${used} in use, ${free} idle, ${most} at most`,
  },
  {
    id: 'queries',
    title: 'Statements',
    value: ({ queries }) => queries,
    cell: ({ queries }) => queries.toLocaleString('en'),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="wrap">
        {(['edit', 'limit', 'reset', 'remove'] as const).map((verb) => (
          <Button
            key={verb}
            size="xs"
            variant="default"
            aria-label={`${labels[verb]} ${serverName(row)}`}
            onClick={() => ask({ verb, server: row })}
          >
            {labels[verb]}
          </Button>
        ))}
      </Group>
    ),
  },
]

const labels = { edit: 'Edit', limit: 'Limit', reset: 'Reset', remove: 'Remove' } as const

const State = ({ server: { status, reason } }: { readonly server: SqlproxyBackend }) => (
  <div>
    <Badge variant="light" color={colors[status] ?? 'orange'} tt="none" fw={600}>
      {status}
    </Badge>
    {reason !== null && status !== 'ONLINE' && (
      <Text size="xs" className="anywhere">
        {reason}
      </Text>
    )}
  </div>
)

function Servers() {
  const query = useBackends()
  const { data: status } = useStatus()
  const [asked, ask] = useState<Asked>()
  return (
    <>
      <DataTable
        label="SQL servers"
        columns={columnsWith(ask)}
        query={useWholePage(query)}
        rowKey={(row) => `${row.hostgroup_id} ${serverName(row)}`}
        filters={
          <Group gap="sm">
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ verb: 'add' })}>
              Add a server
            </Button>
            <Button variant="default" onClick={() => ask({ verb: 'monitor' })}>
              Set the monitor account
            </Button>
          </Group>
        }
        empty={<Empty title="No servers yet">Add the server that takes writes to hostgroup 0.</Empty>}
      />
      {asked && (
        <ServerDialogs
          asked={asked}
          monitorUser={status?.monitor_user ?? 'monitor'}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  )
}
