import { Text } from '@mantine/core'
import type { Sparklines } from '../model.ts'

type Hour = Sparklines['sparklines'][number]['hours'][number]

const width = 96
const height = 24
const hourMs = 3_600_000
const shownHours = 24

/** The response times of the last day in small; hours with a failed check are red. */
export function Sparkline({
  hours,
  now,
}: {
  readonly hours: readonly Hour[] | undefined
  readonly now: number
}) {
  if (hours === undefined || hours.length === 0)
    return (
      <Text size="xs" c="dimmed">
        –
      </Text>
    )
  const top = Math.max(1, ...hours.map(({ average }) => average))
  const bar = width / (shownHours + 1)
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0)
  const checks = hours.reduce((sum, hour) => sum + hour.checks, 0)
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Last 24 hours: at most ${top} ms on average in an hour, ${failed} of ${checks} checks failed`}
    >
      {hours.map((hour) => {
        const age = Math.floor(now / hourMs) - Math.floor(Date.parse(hour.time) / hourMs)
        const tall = hour.failed > 0 ? height : Math.max(2, (hour.average / top) * height)
        return (
          <rect
            key={hour.time}
            x={(shownHours - age) * bar}
            y={height - tall}
            width={Math.max(1, bar - 1)}
            height={tall}
            fill={`var(--mantine-color-${hour.failed > 0 ? 'red' : 'indigo'}-5)`}
          />
        )
      })}
    </svg>
  )
}
