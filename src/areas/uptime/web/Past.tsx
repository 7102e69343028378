import { Text } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatMoment } from '../../../web/kit/format.ts'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { DailyAvailability } from '../model.ts'
import { useAvailability, useResponseTimes } from './queries.ts'

const gapMs = 15 * 60_000

interface ResponseChartProps {
  readonly id: number
  readonly hours: number
}

/** The response times of a monitor in the last hours as a chart. */
export function ResponseChart({ id, hours }: ResponseChartProps) {
  const { data } = useResponseTimes(id, hours)
  const points = (data?.points ?? []).filter((each) => each.checks > each.failed)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last)
    return (
      <Text size="sm" c="dimmed">
        There are no response times of this time yet.
      </Text>
    )
  const series = [
    {
      label: 'Average',
      points: points.map(({ time, average }) => ({ at: Date.parse(time), value: average })),
    },
    {
      label: 'Slowest',
      points: points.map(({ time, slowest }) => ({ at: Date.parse(time), value: slowest })),
    },
  ]
  return (
    <LineChart
      label={`Response times of the last ${hours} hours`}
      series={series}
      from={Date.parse(first.time)}
      to={Date.parse(last.time)}
      gapMs={gapMs}
      format={(value) => `${Math.round(value).toLocaleString()} ms`}
      {...(hours > 24 && { formatTime: (time: number) => formatMoment(new Date(time).toISOString()) })}
    />
  )
}

type Day = DailyAvailability['days'][number]

const columns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day (UTC)', cell: ({ day }) => day },
  { id: 'available', title: 'Available', cell: ({ availability }) => `${availability.toFixed(2)} %` },
  { id: 'failed', title: 'Failed', cell: ({ checks, failed }) => `${failed} of ${checks}` },
  { id: 'p95', title: '95th percentile', cell: ({ p95 }) => `${p95} ms` },
]

/** The availability of a monitor on each of the last 30 days. */
export function Days({ id }: { readonly id: number }) {
  const { data, ...query } = useAvailability(id)
  return (
    <>
      <Text fw={600}>The last 30 days</Text>
      <DataTable
        label="Availability by day"
        columns={columns}
        query={useWholePage({ ...query, data: data?.days })}
        rowKey={({ day }) => day}
        empty={<Empty title="No checks yet">Each day with checks is listed.</Empty>}
      />
    </>
  )
}
