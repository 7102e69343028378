import { Alert, Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { AssistantStatus } from '../model.ts'
import { ai } from './api.ts'
import { done, restartMs } from './done.ts'
import { useAssistant } from './queries.ts'
import { SetupCard } from './SetupCard.tsx'

const tabs = [
  { to: '/assistant', label: 'Chat' },
  { to: '/assistant/vault', label: 'Vault' },
  { to: '/assistant/channels', label: 'Channels' },
  { to: '/assistant/console', label: 'Console' },
  { to: '/assistant/settings', label: 'Settings' },
]

/** The frame of the pages: the state of the assistant, and its setup where there is none. */
export function AssistantFrame({ children }: { readonly children: (status: AssistantStatus) => ReactNode }) {
  const { data: status, error, refetch, isPending } = useAssistant()
  return (
    <Page
      title="Assistant"
      about={status && <AssistantState status={status} />}
      actions={status?.set_up && <Actions status={status} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="ai.setup" />
      <OngoingWork kind="ai.update" />
      {status && !status.set_up && <SetupCard />}
      {status?.set_up && (
        <>
          <PageTabs label="Pages of the assistant" tabs={tabs} />
          {status.reason !== null && (
            <Alert color="orange" mb="md">
              {status.reason}
            </Alert>
          )}
          {!status.hive && (
            <Alert color="orange" mb="md">
              The assistant does not reach the panel: it has no valid key of it, or is not told where it is.
              Under Settings, connect it to the panel.
            </Alert>
          )}
          {children(status)}
        </>
      )}
    </Page>
  )
}

const AssistantState = ({
  status: { set_up, running, ready, version, model },
}: {
  readonly status: AssistantStatus
}) => (
  <Group gap="4px 12px" role="status" aria-label="State of the assistant">
    <StateBadge state={set_up ? (ready ? 'active' : running ? 'starting' : 'stopped') : 'missing'} />
    {version !== null && <span>OpenClaw {version}</span>}
    {model !== null && <span className="anywhere">{model}</span>}
  </Group>
)

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly done: string
}

const verbs = {
  restart: {
    title: 'Restart the assistant',
    label: 'Restart',
    call: ai.restartAssistant({ limitMs: restartMs }),
    done: 'The assistant was restarted.',
  },
  stop: {
    title: 'Stop the assistant',
    label: 'Stop',
    call: ai.stopAssistant({ limitMs: restartMs }),
    done: 'The assistant is stopped.',
  },
} as const satisfies Readonly<Record<string, Asked>>

function Actions({ status: { running } }: { readonly status: AssistantStatus }) {
  const [asked, setAsked] = useState<Asked>()
  return (
    <>
      {running ? (
        <>
          <CutOffButton onClick={() => setAsked(verbs.restart)}>Restart</CutOffButton>
          <CutOffButton onClick={() => setAsked(verbs.stop)}>Stop</CutOffButton>
        </>
      ) : (
        <Button
          onClick={() =>
            setAsked({
              ...verbs.restart,
              title: 'Start the assistant',
              label: 'Start',
              done: 'The assistant is running.',
            })
          }
        >
          Start
        </Button>
      )}
      {asked && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          isCutOff={running}
          call={asked.call}
          onClose={() => setAsked(undefined)}
          onDone={() => done(() => setAsked(undefined), asked.done)}
        />
      )}
    </>
  )
}
