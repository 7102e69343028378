import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../web/kit/format.ts'
import { type ChartSeries, LineChart } from '../../../web/kit/LineChart.tsx'
import type { MetricSample, Metrics } from '../../system/web/queries.ts'
import { Section } from './Section.tsx'

const hourMs = 3_600_000
const percent = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} %`
const perSecond = (bytes: number) => `${formatBytes(bytes)}/s`
const mebibytes = (value: number) => formatBytes(value * 1024 ** 2)

/** The host in the last hour: processors, memory, disks and network. */
export function HostCharts({ metrics: { samples, every_seconds: every } }: { readonly metrics: Metrics }) {
  const last = samples.at(-1)
  if (last === undefined)
    return (
      <Section title="Last hour">
        <Text size="sm" c="dimmed">
          No samples yet. The first one follows {every} seconds after the start of the panel.
        </Text>
      </Section>
    )
  const to = last.ts * 1000
  const frame = { from: to - hourMs, to, gapMs: every * 3000 }
  const line = (label: string, of: (sample: MetricSample) => number): ChartSeries => ({
    label,
    points: samples.map((sample) => ({ at: sample.ts * 1000, value: of(sample) })),
  })
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="CPU" aside={<Note>Load {last.load.toFixed(2)}</Note>}>
        <LineChart
          {...frame}
          label="CPU"
          series={[line('Busy', ({ cpu }) => cpu)]}
          format={percent}
          top={100}
        />
      </Section>
      <Section title="Memory" aside={<Note>of {mebibytes(last.mem_total_mb)}</Note>}>
        <LineChart
          {...frame}
          label="Memory"
          series={[line('Used', ({ mem_mb: used }) => used)]}
          format={mebibytes}
          top={last.mem_total_mb}
        />
      </Section>
      <Section
        title="Disk"
        aside={
          <Note>
            {last.disk_gb} of {last.disk_total_gb} GiB used
          </Note>
        }
      >
        <LineChart
          {...frame}
          label="Disk"
          series={[
            line('Read', ({ disk_read: read }) => read),
            line('Written', ({ disk_write: written }) => written),
          ]}
          format={perSecond}
          isBinary
        />
      </Section>
      <Section title="Network">
        <LineChart
          {...frame}
          label="Network"
          series={[
            line('Received', ({ net_rx: received }) => received),
            line('Sent', ({ net_tx: sent }) => sent),
          ]}
          format={perSecond}
          isBinary
        />
      </Section>
    </SimpleGrid>
  )
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
