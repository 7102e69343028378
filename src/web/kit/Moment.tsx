import { Tooltip } from '@mantine/core'
import { formatAgo, formatMoment } from './format.ts'

/** A moment in relative words, in full on hover and for assistive technology. */
export function Moment({
  time,
  none = 'Never',
}: {
  readonly time: string | null | undefined
  readonly none?: string
}) {
  if (!time) return <>{none}</>
  return (
    <Tooltip label={formatMoment(time)} openDelay={300}>
      <time dateTime={time}>{formatAgo(time, Date.now())}</time>
    </Tooltip>
  )
}
