import { Tooltip } from '@mantine/core'
import { formatAgo, formatMoment } from './format.ts'
import { useTimeZone } from './time-zone.ts'

/** A relative time; the full time is shown on hover and to assistive technology. */
export function Moment({
  time,
  none = 'Never',
}: {
  readonly time: string | null | undefined
  readonly none?: string
}) {
  useTimeZone()
  if (!time) return <>{none}</>
  return (
    <Tooltip label={formatMoment(time)} openDelay={300}>
      <time dateTime={time}>{formatAgo(time, Date.now())}</time>
    </Tooltip>
  )
}
