import { Badge } from '@mantine/core'
import { humanize } from './format.ts'

const colors: Readonly<Record<string, string>> = {
  succeeded: 'green',
  done: 'green',
  ok: 'green',
  active: 'green',
  live: 'green',
  valid: 'green',
  enabled: 'green',
  installed: 'green',
  up: 'green',
  running: 'indigo',
  connecting: 'indigo',
  restored: 'orange',
  undone: 'orange',
  suspended: 'orange',
  interrupted: 'orange',
  missing: 'orange',
  stopped: 'orange',
  expiring: 'orange',
  warning: 'orange',
  failed: 'red',
  expired: 'red',
  down: 'red',
  error: 'red',
  broken: 'red',
  not_answering: 'red',
}

/** Cells of tables break words anywhere where they are narrow. */
const nowrap = { minWidth: 'max-content', overflowWrap: 'normal' } as const

/** A state as a colored label. */
export function StateBadge({ state }: { readonly state: string }) {
  return (
    <Badge variant="light" color={colors[state] ?? 'gray'} tt="none" fw={600} style={nowrap}>
      {humanize(state)}
    </Badge>
  )
}
