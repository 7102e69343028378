import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { HistoryRow, Monitor } from '../model.ts'
import { type Incident, incidentsOf, lengthOf } from './incidents.ts'
import { Days, ResponseChart } from './Past.tsx'
import { useHistory, useMonitors, useStatistics } from './queries.ts'
import { stateOf } from './state.ts'

/** One monitor: its response times, incidents, availability and history. */
export function MonitorPage() {
  const { id: text = '' }: { id?: string } = useParams({ strict: false })
  const id = Number(text)
  const { data, error, refetch } = useMonitors()
  const monitor = data?.monitors.find((each) => each.id === id)
  if (!monitor)
    return (
      <Page title="Monitor">
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : undefined}
        {!error && !data && <Loading />}
        {data && <Empty title="There is no such monitor">It may have been deleted.</Empty>}
      </Page>
    )
  return (
    <Page title={monitor.name} about={<Facts monitor={monitor} />}>
      <Responses id={id} />
      <Past id={id} />
      <SectionCard title="Availability">
        <Days id={id} />
      </SectionCard>
    </Page>
  )
}

function Facts({ monitor }: { readonly monitor: Monitor }) {
  const { target, type, last_check, last_error } = monitor
  return (
    <>
      <Group gap="4px 12px">
        <StateBadge state={stateOf(monitor)} />
        <span className="anywhere">
          {type} {target}
        </span>
        {last_check !== null && (
          <span>
            Checked <Moment time={last_check} />
          </span>
        )}
      </Group>
      {last_error !== '' && (
        <Text size="sm" mt={4} className="anywhere">
          {last_error}
        </Text>
      )}
    </>
  )
}

const spans = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]

function Responses({ id }: { readonly id: number }) {
  const [hours, show] = useState('24')
  return (
    <SectionCard title="Response times">
      <Stack gap="sm">
        <SegmentedControl aria-label="Time shown" data={spans} value={hours} onChange={show} size="xs" />
        <ResponseChart id={id} hours={Number(hours)} />
        <LastDay id={id} />
      </Stack>
    </SectionCard>
  )
}

function LastDay({ id }: { readonly id: number }) {
  const { data } = useStatistics(id)
  if (!data) return null
  const { checks, failed, availability, p50, p95, p99 } = data
  return (
    <Text size="sm">
      Last 24 hours: {availability.toFixed(2)} % available, {checks} checks, {failed} failed. Response time:
      median {p50} ms, 95th percentile {p95} ms, 99th percentile {p99} ms.
    </Text>
  )
}

const incidentColumns: readonly Column<Incident>[] = [
  { id: 'began', title: 'Began', cell: ({ began }) => <Moment time={began} /> },
  {
    id: 'ended',
    title: 'Ended',
    cell: ({ ended }) => (ended === undefined ? 'Lasts' : <Moment time={ended} />),
  },
  { id: 'length', title: 'Length', cell: (incident) => lengthOf(incident, Date.now()) },
  {
    id: 'reason',
    title: 'Reason',
    cell: ({ reason }) => (
      <Text size="sm" className="anywhere">
        {reason || '–'}
      </Text>
    ),
  },
]

const eventColumns: readonly Column<HistoryRow>[] = [
  { id: 'time', title: 'Time', cell: (row) => <Moment time={row.created_at} /> },
  { id: 'event', title: 'Event', cell: (row) => <StateBadge state={row.event_type} /> },
  { id: 'response', title: 'Response', align: 'right', cell: (row) => `${row.response_time} ms` },
  {
    id: 'details',
    title: 'Details',
    cell: ({ error }) => (
      <Text size="sm" className="anywhere">
        {error || '–'}
      </Text>
    ),
  },
]

function Past({ id }: { readonly id: number }) {
  const { data, ...query } = useHistory(id)
  const found = useMemo(() => data && incidentsOf(data.history), [data])
  const incidents = useWholePage({ ...query, data: found })
  const events = useWholePage({ ...query, data: data?.history })
  return (
    <>
      <SectionCard title="Incidents">
        <DataTable
          label="Incidents"
          columns={incidentColumns}
          query={incidents}
          rowKey={(incident) => incident.id}
          empty={<Empty title="No incidents">It was not down in the last 90 days.</Empty>}
        />
      </SectionCard>
      <SectionCard title="History">
        <DataTable
          label="History"
          columns={eventColumns}
          query={events}
          rowKey={(row) => row.id}
          empty={<Empty title="No events yet">Changes of state and alerts are listed here.</Empty>}
        />
      </SectionCard>
    </>
  )
}
