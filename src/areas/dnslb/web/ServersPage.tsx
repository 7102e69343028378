import { Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type Server, ServerDraft } from '../model.ts'
import { dnslb } from './api.ts'
import { DnslbFrame } from './DnslbFrame.tsx'
import { done, useServers, useStats } from './queries.ts'
import { rateOf } from './rate.ts'
import { RowButtons } from './RowButtons.tsx'

const text = {
  name: { label: 'Name' },
  address: { label: 'Address', hint: 'IP address of the name server' },
  port: { label: 'Port' },
  pool: { label: 'Pool', hint: 'Empty: the default pool, which gets what no rule sends elsewhere' },
  weight: { label: 'Weight', hint: 'Share of the queries of its pool' },
  order: { label: 'Order', hint: 'Servers with a lower order are preferred' },
  mode: {
    label: 'State',
    hint: 'By its health checks, or held up or down',
    labels: { auto: 'By its health', up: 'Held up', down: 'Held down' },
  },
}

interface Asking {
  readonly what: 'edit' | 'remove'
  readonly server: Server
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<Server>[] => [
  { id: 'name', title: 'Server', value: ({ name }) => name, cell: ({ name }) => name },
  { id: 'address', title: 'Address', cell: ({ address }) => address },
  { id: 'pool', title: 'Pool', value: ({ pool }) => pool, cell: ({ pool }) => pool || 'Default' },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  { id: 'share', title: 'Weight, order', cell: ({ weight, order }) => `${weight}, ${order}` },
  {
    id: 'queries',
    title: 'Queries',
    value: ({ queries }) => queries,
    cell: ({ queries, latency_ms }) => `${queries}, ${latency_ms.toFixed(1)} ms`,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (server) => (
      <RowButtons
        name={server.name}
        onEdit={() => ask({ what: 'edit', server })}
        onRemove={() => ask({ what: 'remove', server })}
      />
    ),
  },
]

/** The name servers with their health, and what dnsdist counts. */
export function ServersPage() {
  const { data, ...query } = useServers()
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useLinkedDialog('create')
  const page = useWholePage({ ...query, data: data?.servers })
  const close = () => ask(undefined)
  const write = (body: ServerDraft) => dnslb.writeServer({ body })
  return (
    <DnslbFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a server
        </Button>
      }
    >
      <Stack gap="lg">
        <Numbers />
        <DataTable
          label="Servers"
          columns={columnsOf(ask)}
          query={page}
          rowKey={({ name }) => name}
          empty={<Empty title="No servers yet">Add the name servers that answer the queries.</Empty>}
        />
      </Stack>
      {isCreating && (
        <PlannedForm
          title="Add a server"
          confirmLabel="Add"
          schema={ServerDraft}
          text={text}
          callOf={write}
          onClose={() => setCreating(false)}
          onDone={() => done(() => setCreating(false), 'The server was added.')}
        />
      )}
      {asking?.what === 'edit' && (
        <PlannedForm
          title={`Edit ${asking.server.name}`}
          confirmLabel="Save"
          schema={ServerDraft}
          text={text}
          except={['name']}
          given={draftOf(asking.server)}
          callOf={(body: ServerDraft) => write({ ...body, name: asking.server.name })}
          onClose={close}
          onDone={() => done(close, `${asking.server.name} was changed.`)}
        />
      )}
      {asking?.what === 'remove' && (
        <ChangeDialog
          title={`Remove ${asking.server.name}`}
          confirmLabel="Remove"
          call={dnslb.deleteServer({ params: { name: asking.server.name } })}
          onClose={close}
          onDone={() => done(close, `${asking.server.name} was removed.`)}
        />
      )}
    </DnslbFrame>
  )
}

/** Splits the address into host and port, as the form has them. */
function draftOf({ name, address, pool, weight, order, mode }: Server): ServerDraft {
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? []
  return { name, address: host, port: Number(port), pool, weight, order, mode }
}

function Numbers() {
  const { data } = useStats()
  const before = useFormer(data)
  if (data?.running !== true) return null
  const perSecond = (counter: 'queries' | 'nxdomain') =>
    rateOf(before, data, counter)?.toLocaleString(undefined, { maximumFractionDigits: 1 }) ?? '–'
  const shown = [
    ['Queries per second', perSecond('queries')],
    ['Blocked per second', perSecond('nxdomain')],
    ['Queries', data.queries],
    ['Names blocked', data.nxdomain],
    ['Refused', data.refused],
    ['Dropped', data.dropped],
    ['Without an answer', data.timeouts],
    ['Latency', `${(data.latency_us / 1000).toFixed(2)} ms`],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 8 }}>
      {shown.map(([label, value]) => (
        <Paper key={label} withBorder radius="lg" p="md">
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text fw={600}>{value}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

/** The value before the current one. */
function useFormer<Value>(value: Value): Value | undefined {
  const [known, setKnown] = useState<{ readonly now: Value; readonly former: Value | undefined }>({
    now: value,
    former: undefined,
  })
  if (known.now === value) return known.former
  setKnown({ now: value, former: known.now })
  return known.now
}
