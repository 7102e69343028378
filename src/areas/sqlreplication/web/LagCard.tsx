import { Text } from '@mantine/core'
import { formatDuration } from '../../../web/kit/format.ts'
import { LineChart } from '../../../web/kit/LineChart.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import type { SqlReplicationState } from '../model.ts'

type Replica = NonNullable<SqlReplicationState['replica']>

const hourMs = 3_600_000
const gapMs = 60_000

const measured: Readonly<Record<'heartbeat' | 'server', string>> = {
  heartbeat: 'Measured by the time that the panel of the primary writes each second.',
  server:
    'Told by MariaDB (Seconds_Behind_Master): the panel of the primary has written no time lately, so a link that is dead shows late.',
}

/** How far a replica is behind now, by what that is known, and how it was in the last hour. */
export function LagCard({
  replica: { lag_seconds, lag_source, lag_history },
}: {
  readonly replica: Replica
}) {
  const points = lag_history.map(({ at, seconds }) => ({ at: Date.parse(at), value: seconds }))
  const to = points.at(-1)?.at
  return (
    <SectionCard title="Lag">
      <Text size="sm">
        {lag_seconds === null
          ? 'The lag is not known.'
          : `${formatDuration(lag_seconds)} behind the primary.`}{' '}
        {lag_source !== null && measured[lag_source]}
      </Text>
      {to === undefined ? (
        <Text size="sm" c="dimmed">
          Nothing is recorded yet. The lag is recorded each quarter of a minute.
        </Text>
      ) : (
        <LineChart
          label="Lag in the last hour"
          series={[{ label: 'Behind', points }]}
          from={to - hourMs}
          to={to}
          format={formatDuration}
          gapMs={gapMs}
        />
      )}
    </SectionCard>
  )
}
