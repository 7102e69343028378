import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { RowLink } from '../../../web/kit/RowLink.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Monitor, Sparklines } from '../model.ts'
import { CreateDialog, DeleteDialog, EditDialog } from './Dialogs.tsx'
import { MonitorActions } from './MonitorActions.tsx'
import { Maintenance, PlanDialog } from './Maintenance.tsx'
import { useMonitors, useSparklines, useUptimeStatus } from './queries.ts'
import { Sparkline } from './Sparkline.tsx'
import { type Asking, stateOf } from './state.ts'
import { StatusPageCard } from './StatusPageCard.tsx'

type Sparks = ReadonlyMap<number, Sparklines['sparklines'][number]['hours']>

const columnsOf = (ask: (asking: Asking) => void, sparks: Sparks): readonly Column<Monitor>[] => [
  {
    id: 'name',
    title: 'Monitor',
    value: ({ name }) => name,
    cell: ({ id, name, target }) => (
      <>
        <Text size="sm" fw={600} className="anywhere">
          <RowLink to={`/uptime/${id}`}>{name}</RowLink>
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {target}
        </Text>
      </>
    ),
  },
  { id: 'type', title: 'Type', value: ({ type }) => type, cell: ({ type }) => type },
  {
    id: 'state',
    title: 'State',
    value: stateOf,
    cell: (monitor) => (
      <div style={{ minWidth: '6rem' }}>
        <StateBadge state={stateOf(monitor)} />
        {monitor.last_error !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {monitor.last_error}
          </Text>
        )}
      </div>
    ),
  },
  {
    id: 'response',
    title: 'Response',
    value: ({ last_response_time }) => last_response_time,
    cell: ({ last_check, last_response_time }) => (last_check === null ? '–' : `${last_response_time} ms`),
  },
  {
    id: 'day',
    title: 'Last 24 hours',
    cell: ({ id }) => <Sparkline hours={sparks.get(id)} now={Date.now()} />,
  },
  {
    id: 'checked',
    title: 'Last check',
    value: ({ last_check }) => last_check ?? '',
    cell: ({ last_check }) => (last_check === null ? '–' : <Moment time={last_check} />),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (monitor) => <MonitorActions monitor={monitor} onAsk={ask} />,
  },
]

/** The monitors, and dialogs that add, change and delete them. */
export function UptimePage() {
  const { data, ...query } = useMonitors()
  const { data: found } = useSparklines((data?.monitors ?? []).map(({ id }) => id))
  const sparks = new Map(found?.sparklines.map(({ monitor_id, hours }) => [monitor_id, hours] as const))
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useLinkedDialog('create')
  const close = () => ask(undefined)
  return (
    <Page
      title="Uptime"
      about={<Summary />}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a monitor
        </Button>
      }
    >
      <DataTable
        label="Monitors"
        columns={columnsOf(ask, sparks)}
        query={useWholePage({ ...query, data: data?.monitors })}
        rowKey={({ id }) => id}
        empty={<Empty title="No monitors yet">Add one to be told when a site or service is down.</Empty>}
      />
      <Maintenance monitors={data?.monitors ?? []} />
      <StatusPageCard />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {asking?.what === 'edit' && <EditDialog monitor={asking.monitor} onClose={close} />}
      {asking?.what === 'delete' && <DeleteDialog monitor={asking.monitor} onClose={close} />}
      {asking?.what === 'maintenance' && <PlanDialog monitor={asking.monitor} onClose={close} />}
    </Page>
  )
}

function Summary() {
  const { data } = useUptimeStatus()
  if (data?.installed !== true) return 'Checks of websites and services.'
  return `${data.up} up, ${data.warning} with a warning, ${data.down} down`
}
