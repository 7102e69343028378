import { Card, Group, NativeSelect, Text, Title, UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import type { Backend, Frontend } from '../model.ts'
import { type Metric, metrics } from './numbers.ts'
import type { Sample } from './sample.ts'
import { chartMs, everything, historyOf, keyOf, pauseOf, type Snapshot } from './traffic.ts'
import classes from './TrafficCard.module.css'

interface TrafficCardProps {
  /** The key of the part whose metrics are shown. */
  readonly plotted: string
  readonly onPlot: (key: string) => void
  readonly frontends: readonly Frontend[]
  readonly backends: readonly Backend[]
  readonly traffic: Snapshot | undefined
}

const mostNamed = 500

/** The metrics of one part or of all, with a five-minute chart of the selected metric. */
export function TrafficCard({ plotted, onPlot, frontends, backends, traffic }: TrafficCardProps) {
  const [metric, setMetric] = useState<Metric>(metrics[0])
  const key = plotted === everything || traffic?.rows.has(plotted) ? plotted : everything
  const choices = useMemo(() => choicesOf(frontends, backends, key), [frontends, backends, key])
  const now = key === everything ? traffic?.all : traffic?.rows.get(key)?.now
  const history = historyOf(key)
  const to = traffic?.at ?? Date.now()
  return (
    <Card withBorder radius="lg" p="lg" component="section" id="traffic" aria-label="Traffic">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} size="h4">
          Traffic
        </Title>
        <NativeSelect
          size="xs"
          aria-label="Whose traffic"
          value={key}
          onChange={(event) => onPlot(event.currentTarget.value)}
          data={choices}
        />
      </Group>
      <div className={classes.tiles} role="group" aria-label="Plotted values">
        {metrics.map((each) => (
          <Tile
            key={each.id}
            metric={each}
            now={now}
            isChosen={each.id === metric.id}
            onChoose={() => setMetric(each)}
          />
        ))}
      </div>
      <LineChart
        label={`${metric.label} in the last minutes`}
        series={metric.lines.map(({ label, of }) => ({
          label,
          points: history.map((sample) => ({ at: sample.at, value: of(sample) })),
        }))}
        from={to - spanOf(history, to)}
        to={to}
        format={metric.format}
        isBinary={metric.isBinary ?? false}
        gapMs={4 * pauseOf(traffic)}
      />
    </Card>
  )
}

/** The chart starts with one minute and grows to five. */
const spanOf = (history: readonly Sample[], to: number) =>
  Math.min(chartMs, Math.max(60_000, to - (history[0]?.at ?? to)))

interface TileProps {
  readonly metric: Metric
  readonly now: Sample | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Tile({ metric: { label, lines, format }, now, isChosen, onChoose }: TileProps) {
  const [first, ...rest] = lines
  return (
    <UnstyledButton className={classes.tile} aria-pressed={isChosen} onClick={onChoose}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="lg" fw={650} className={classes.number}>
        {now && first ? format(first.of(now)) : '–'}
      </Text>
      <Text size="xs" c="dimmed" className={classes.number}>
        {rest
          .map((line) => `${line.label.replace('Responses ', '')} ${now ? format(line.of(now)) : '–'}`)
          .join(' ')}
      </Text>
    </UnstyledButton>
  )
}

function choicesOf(frontends: readonly Frontend[], backends: readonly Backend[], key: string) {
  const servers = backends.flatMap(({ name, servers: within }) =>
    within.map((server) => ({ value: keyOf('server', name, server.name), label: `${name}/${server.name}` })),
  )
  return [
    { value: everything, label: 'All traffic' },
    {
      group: 'Frontends',
      items: frontends.map(({ name }) => ({ value: keyOf('frontend', name), label: name })),
    },
    {
      group: 'Backends',
      items: backends.map(({ name }) => ({ value: keyOf('backend', name), label: name })),
    },
    { group: 'Servers', items: servers.filter(({ value }, index) => index < mostNamed || value === key) },
  ]
}
