import { Badge, Text } from '@mantine/core'
import { Moment } from '../../../web/kit/Moment.tsx'

interface DrillBadgeProps {
  readonly provenAt: string | null
  /** The result of the last drill; null if there was none. */
  readonly passed: boolean | null
  readonly isOverdue: boolean
}

/** Whether a drill proved that the backups of a website restore, and when. */
export function DrillBadge({ provenAt, passed, isOverdue }: DrillBadgeProps) {
  const { label, color } = lookOf({ provenAt, passed, isOverdue })
  return (
    <>
      <Badge variant="light" color={color} tt="none" fw={600}>
        {label}
      </Badge>
      {provenAt !== null && (
        <Text size="xs" c="dimmed">
          Proven <Moment time={provenAt} />
        </Text>
      )}
    </>
  )
}

function lookOf({ provenAt, passed, isOverdue }: DrillBadgeProps) {
  if (passed === false) return { label: 'Drill failed', color: 'red' }
  if (isOverdue) return { label: 'Drill overdue', color: 'orange' }
  return provenAt === null ? { label: 'Not proven', color: 'gray' } : { label: 'Proven', color: 'green' }
}
