import { Button, Group } from '@mantine/core'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import type { Container } from '../model.ts'
import type { ContainerVerb } from '../verbs.ts'
import { BackupDialog, CloneDialog, EditDialog, RemoveDialog } from './Dialogs.tsx'
import { PublishDialog, UpgradeDialog } from './ReplaceDialogs.tsx'
import { useSwitch } from './queries.ts'
import type { Asking } from './state.ts'

const labels: Readonly<Record<ContainerVerb, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  pause: 'Pause',
  unpause: 'Continue',
  kill: 'Kill',
}

const verbsFor = (state: string): readonly ContainerVerb[] => {
  if (state === 'running') return ['restart', 'pause', 'stop', 'kill']
  return state === 'paused' ? ['unpause', 'kill'] : ['start']
}

interface ActionsProps {
  readonly container: Container
  readonly onAsk: (asking: Asking) => void
}

/** The buttons that start, stop and change a container. */
export function ContainerActions({ container, onAsk }: ActionsProps) {
  const { id, state } = container
  const switching = useSwitch()
  const asks = [
    ['Edit', 'edit'],
    ['Clone', 'clone'],
    ['Back up', 'backup'],
    ['Upgrade', 'upgrade'],
    ['Publish', 'publish'],
  ] as const
  return (
    <Group gap="xs">
      {verbsFor(state).map((action) => (
        <Button
          key={action}
          variant="default"
          loading={switching.isPending && switching.variables.action === action}
          onClick={() => switching.mutate({ id, action })}
        >
          {labels[action]}
        </Button>
      ))}
      {asks.map(([label, what]) => (
        <Button key={what} variant="default" onClick={() => onAsk({ what, container })}>
          {label}
        </Button>
      ))}
      <CutOffButton onClick={() => onAsk({ what: 'remove', container })}>Remove</CutOffButton>
    </Group>
  )
}

const dialogs = {
  edit: EditDialog,
  clone: CloneDialog,
  backup: BackupDialog,
  upgrade: UpgradeDialog,
  publish: PublishDialog,
  remove: RemoveDialog,
}

/** The dialog that was asked for. */
export function ContainerDialog({
  asking,
  onClose,
}: {
  readonly asking: Asking
  readonly onClose: () => void
}) {
  const Dialog = dialogs[asking.what]
  return <Dialog container={asking.container} onClose={onClose} />
}
