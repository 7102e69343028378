import { Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes, formatMoment } from '../../../web/kit/format.ts'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { useWebsite } from '../../websites/web/queries.ts'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import type { Statistics } from '../model.ts'
import { useStatistics } from './queries.ts'

const spans = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
]
const hourMs = 3_600_000

/** The traffic of a website: requests and bytes by the hour, statuses, and the slowest paths. */
export function TrafficPage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const [hours, setHours] = useState(24)
  const { data, error, refetch } = useStatistics(id, hours)
  return (
    <Page title={website.data?.domain ?? 'Website'} about="Requests in the access log, by the hour.">
      <WebsiteTabs id={id} />
      <SegmentedControl
        aria-label="Time span"
        w="fit-content"
        data={spans}
        value={String(hours)}
        onChange={(value) => setHours(Number(value))}
      />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && <Figures statistics={data} />}
    </Page>
  )
}

function Figures({ statistics }: { readonly statistics: Statistics }) {
  const { from, requests, bytes, statuses } = statistics
  const points = hoursOf(statistics)
  const chart = { from: Date.parse(from), to: points.at(-1)?.at ?? Date.now(), gapMs: 2 * hourMs }
  const formatTime = (time: number) => formatMoment(new Date(time).toISOString())
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <SectionCard title="Requests">
          <Text size="xl" fw={650}>
            {requests.toLocaleString()}
          </Text>
          <LineChart
            label="Requests by the hour"
            series={[
              {
                label: 'Requests',
                points: points.map(({ at, hour }) => ({ at, value: hour?.requests ?? 0 })),
              },
            ]}
            format={(value) => Math.round(value).toLocaleString()}
            formatTime={formatTime}
            {...chart}
          />
        </SectionCard>
        <SectionCard title="Bytes sent">
          <Text size="xl" fw={650}>
            {formatBytes(bytes)}
          </Text>
          <LineChart
            label="Bytes sent by the hour"
            series={[
              { label: 'Bytes', points: points.map(({ at, hour }) => ({ at, value: hour?.bytes ?? 0 })) },
            ]}
            format={formatBytes}
            formatTime={formatTime}
            isBinary
            {...chart}
          />
        </SectionCard>
      </SimpleGrid>
      <SectionCard title="Statuses">
        <Group gap="xl">
          {Object.entries(statuses).map(([name, count]) => (
            <div key={name}>
              <Text size="sm">{name}</Text>
              <Text fw={650}>{count.toLocaleString()}</Text>
            </div>
          ))}
        </Group>
      </SectionCard>
      <SlowestPaths slowest={statistics.slowest} />
    </Stack>
  )
}

/** Every hour of the span, also those without requests. */
function hoursOf({ from, hours }: Statistics) {
  const known = new Map(hours.map((hour) => [Date.parse(hour.start), hour]))
  const points: { readonly at: number; readonly hour: Statistics['hours'][number] | undefined }[] = []
  for (let at = Date.parse(from); at <= Date.now(); at += hourMs) points.push({ at, hour: known.get(at) })
  return points
}

type SlowPath = Statistics['slowest'][number]

const columns: Column<SlowPath>[] = [
  {
    id: 'path',
    title: 'Path',
    width: '75%',
    value: ({ path }) => path,
    cell: ({ path }) => <span className="anywhere">{path}</span>,
  },
  {
    id: 'seconds',
    title: 'Longest request',
    align: 'right',
    value: ({ seconds }) => seconds,
    cell: ({ seconds }) => `${seconds.toFixed(3)} s`,
  },
]

function SlowestPaths({ slowest }: { readonly slowest: readonly SlowPath[] }) {
  const query = useWholePage({ data: slowest, error: null, isFetching: false, refetch: () => {} })
  return (
    <DataTable
      label="Slowest paths"
      columns={columns}
      query={query}
      rowKey={({ path }) => path}
      empty={<Empty title="No requests yet">Paths with the longest requests are listed here.</Empty>}
    />
  )
}
