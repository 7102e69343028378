import { Progress } from '@mantine/core'

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly total: number
}

/** The usage of a resource; orange from 75 %, red from 90 %. */
export function Meter({ label, used, total }: MeterProps) {
  const percent = total > 0 ? Math.min(100, (used / total) * 100) : 0
  const color = percent >= 90 ? 'red' : percent >= 75 ? 'orange' : 'indigo'
  return (
    <Progress.Root size="md" radius="xl">
      <Progress.Section value={percent} color={color} aria-label={label} />
    </Progress.Root>
  )
}
