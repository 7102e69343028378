import { Button, Group } from '@mantine/core'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import type { Monitor } from '../model.ts'
import { useCheck, useToggle } from './queries.ts'
import type { Asking } from './state.ts'

interface MonitorActionsProps {
  readonly monitor: Monitor
  readonly onAsk: (asking: Asking) => void
}

/** The buttons of a monitor. */
export function MonitorActions({ monitor, onAsk }: MonitorActionsProps) {
  const { id, name, is_enabled } = monitor
  const checking = useCheck()
  const toggling = useToggle()
  const buttons = [
    { label: 'Check now', isBusy: checking.isPending, onClick: () => checking.mutate(id) },
    {
      label: is_enabled ? 'Pause' : 'Resume',
      isBusy: toggling.isPending,
      onClick: () => toggling.mutate(id),
    },
    { label: 'Maintenance', isBusy: false, onClick: () => onAsk({ what: 'maintenance', monitor }) },
    { label: 'Edit', isBusy: false, onClick: () => onAsk({ what: 'edit', monitor }) },
  ]
  return (
    <Group gap="xs" justify="flex-end">
      {buttons.map(({ label, isBusy, onClick }) => (
        <Button
          key={label}
          size="xs"
          variant="default"
          loading={isBusy}
          aria-label={`${label}: ${name}`}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      <CutOffButton
        size="xs"
        aria-label={`Delete: ${name}`}
        onClick={() => onAsk({ what: 'delete', monitor })}
      >
        Delete
      </CutOffButton>
    </Group>
  )
}
