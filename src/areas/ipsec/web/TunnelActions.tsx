import { Button, Group } from '@mantine/core'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import type { Tunnel } from '../model.ts'
import { useRestart } from './queries.ts'

/** The dialog of a tunnel that is open. */
export interface Asking {
  readonly what: 'edit' | 'toggle' | 'delete'
  readonly tunnel: Tunnel
}

interface TunnelActionsProps {
  readonly tunnel: Tunnel
  readonly onAsk: (asking: Asking) => void
}

/** The buttons of a tunnel. */
export function TunnelActions({ tunnel, onAsk }: TunnelActionsProps) {
  const restart = useRestart()
  const { name, enabled } = tunnel
  const asking = [
    { label: enabled ? 'Disable' : 'Enable', what: 'toggle' },
    { label: 'Edit', what: 'edit' },
  ] as const
  return (
    <Group gap={4} justify="flex-end">
      {enabled && (
        <Button
          size="xs"
          variant="default"
          loading={restart.isPending}
          aria-label={`Restart ${name}`}
          onClick={() => restart.mutate(tunnel)}
        >
          Restart
        </Button>
      )}
      {asking.map(({ label, what }) => (
        <Button
          key={what}
          size="xs"
          variant="default"
          aria-label={`${label} ${name}`}
          onClick={() => onAsk({ what, tunnel })}
        >
          {label}
        </Button>
      ))}
      <CutOffButton size="xs" aria-label={`Remove ${name}`} onClick={() => onAsk({ what: 'delete', tunnel })}>
        Remove
      </CutOffButton>
    </Group>
  )
}
