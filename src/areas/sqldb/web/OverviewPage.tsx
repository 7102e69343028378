import { SimpleGrid, Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { MonitorStats } from '../model.ts'
import { type Sample, useSamples } from './queries.ts'
import { SqldbFrame } from './SqldbFrame.tsx'

/** What the server does now, with charts of the last minutes, and the sizes of its databases. */
export const OverviewPage = () => (
  <SqldbFrame>
    <Figures />
  </SqldbFrame>
)

interface Chart {
  readonly title: string
  readonly lines: readonly { readonly label: string; readonly of: (sample: Sample) => number }[]
}

const charts: readonly Chart[] = [
  {
    title: 'Statements',
    lines: [{ label: 'Statements/s', of: ({ stats }) => stats.queries_per_sec }],
  },
  {
    title: 'Connections',
    lines: [
      { label: 'Open', of: ({ stats }) => stats.connections },
      { label: 'Busy', of: ({ stats }) => stats.threads_running },
    ],
  },
  {
    title: 'Rows',
    lines: [
      { label: 'Read/s', of: ({ engine }) => engine.row_reads_per_sec },
      { label: 'Written/s', of: ({ engine }) => engine.row_writes_per_sec },
    ],
  },
]

const chartMs = 5 * 60_000
const gapMs = 20_000
const format = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 })

function Figures() {
  const { data: samples, error, refetch } = useSamples()
  const now = samples?.at(-1)
  if (error && !now) return <Failure error={error} onRetry={() => void refetch()} />
  if (!samples || !now) return <Loading />
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, lg: 3 }}>
        {charts.map(({ title, lines }) => (
          <SectionCard key={title} title={title}>
            <LineChart
              label={`${title} in the last five minutes`}
              series={lines.map(({ label, of }) => ({
                label,
                points: samples.map((sample) => ({ at: sample.at, value: of(sample) })),
              }))}
              from={now.at - chartMs}
              to={now.at}
              format={format}
              gapMs={gapMs}
            />
          </SectionCard>
        ))}
      </SimpleGrid>
      <SectionCard title="Since the start of the server">
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {totalsOf(now).map(([label, value]) => (
            <div key={label}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text fw={650}>{value}</Text>
            </div>
          ))}
        </SimpleGrid>
      </SectionCard>
      <Databases databases={now.databases} />
    </Stack>
  )
}

const totalsOf = ({ stats, locks, engine }: MonitorStats): readonly (readonly [string, string])[] => [
  ['Buffer pool', `${engine.buffer_pool_size}, ${format(engine.buffer_pool_used_pct)} % used`],
  ['Reads from the buffer pool', `${format(stats.buffer_hit_rate)} %`],
  ['Slow statements', format(stats.slow_queries)],
  ['Failed connections', format(stats.aborted_connects)],
  ['Deadlocks', format(engine.deadlocks)],
  ['Table locks waited for', `${format(locks.table_locks_waited)} (${format(locks.lock_ratio)} %)`],
]

type Database = MonitorStats['databases'][number]

const columns: Column<Database>[] = [
  { id: 'name', title: 'Database', value: ({ name }) => name, cell: ({ name }) => name },
  { id: 'size', title: 'Size', value: ({ size_bytes }) => size_bytes, cell: ({ size }) => size },
]

const Databases = ({ databases }: { readonly databases: readonly Database[] }) => (
  <DataTable
    label="Databases"
    columns={columns}
    query={useWholePage({ data: databases, error: null, isFetching: false, refetch: () => {} })}
    rowKey={({ name }) => name}
    empty={<Empty title="No databases" />}
  />
)
