import { Button, Group, Switch } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import type { AssistantStatus } from '../model.ts'
import { ai } from './api.ts'
import { done, restartMs } from './done.ts'

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly done: string
}

const limitMs = restartMs
const verbs = {
  update: {
    title: 'Update OpenClaw to the newest version',
    label: 'Update',
    call: ai.updateAssistant({ body: {} }),
    done: 'The update goes on as a job.',
  },
  clear: {
    title: 'Clear all conversations',
    label: 'Clear them',
    call: ai.clearChatSessions({ limitMs }),
    done: 'All conversations are empty.',
  },
  gateway: {
    title: 'Restart the gateway',
    label: 'Restart',
    call: ai.restartGateway({ limitMs }),
    done: 'The gateway was restarted.',
  },
  reset: {
    title: 'Reset the configuration',
    label: 'Reset it',
    call: ai.resetAssistantConfig({ limitMs }),
    done: 'The configuration was reset.',
  },
  purge: {
    title: 'Remove all credentials',
    label: 'Remove them',
    call: ai.purgeCredentials({ limitMs }),
    done: 'All credentials were removed.',
  },
  destroy: {
    title: 'Remove the assistant',
    label: 'Remove it',
    call: ai.destroyAssistant({ limitMs }),
    done: 'The assistant was removed.',
  },
} as const satisfies Readonly<Record<string, Asked>>

/** What is done rarely: updates, a new key of the panel, and what removes something. */
export function AdvancedCard({ status: { hive } }: { readonly status: AssistantStatus }) {
  const [asked, setAsked] = useState<Asked | 'hive'>()
  const close = () => setAsked(undefined)
  const shown = asked === 'hive' ? undefined : asked
  return (
    <SectionCard title="Advanced">
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsked(verbs.update)}>
          Update OpenClaw
        </Button>
        <Button variant="default" onClick={() => setAsked('hive')}>
          {hive ? 'New key of the panel' : 'Connect to the panel'}
        </Button>
        <CutOffButton onClick={() => setAsked(verbs.gateway)}>Restart gateway</CutOffButton>
        <CutOffButton onClick={() => setAsked(verbs.clear)}>Clear conversations</CutOffButton>
        <CutOffButton onClick={() => setAsked(verbs.reset)}>Reset configuration</CutOffButton>
        <CutOffButton onClick={() => setAsked(verbs.purge)}>Remove credentials</CutOffButton>
        <CutOffButton onClick={() => setAsked(verbs.destroy)}>Remove assistant</CutOffButton>
      </Group>
      {asked === 'hive' && <HiveDialog onClose={close} />}
      {shown && (
        <ChangeDialog
          title={shown.title}
          confirmLabel={shown.label}
          call={shown.call}
          onClose={close}
          onDone={() => done(close, shown.done)}
        />
      )}
    </SectionCard>
  )
}

function HiveDialog({ onClose }: { readonly onClose: () => void }) {
  const [isReadOnly, setReadOnly] = useState(true)
  return (
    <ChangeDialog
      title="Give the assistant a new key of the panel"
      confirmLabel="Save"
      call={ai.reconfigureHive({ body: { scopes: [], read_only: isReadOnly }, limitMs })}
      onClose={onClose}
      onDone={() => done(onClose, 'The assistant has a new key of the panel.')}
    >
      <Switch
        label="Read-only"
        description="It reads the panel, and changes nothing."
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
    </ChangeDialog>
  )
}
