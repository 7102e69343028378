import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import type { ConsoleStatus } from '../console-model.ts'
import { type AssistantStatus, Lan } from '../model.ts'
import { ai } from './api.ts'
import { AssistantFrame } from './AssistantFrame.tsx'
import { done, restartMs } from './done.ts'
import { PairingTable } from './PairingTable.tsx'
import { useConsoleHealth, useConsoleToken, useWebConsole } from './queries.ts'

const TextConsole = lazy(() =>
  import('./TextConsole.tsx').then(({ TextConsole: default_ }) => ({ default: default_ })),
)

/** The console of OpenClaw in the browser, who is admitted to it, and the one on a terminal. */
export const ConsolePage = () => (
  <AssistantFrame>
    {(status) => (
      <Stack gap="lg">
        <WebConsole />
        <Browsers status={status} />
        <OnTerminal isReady={status.ready} />
      </Stack>
    )}
  </AssistantFrame>
)

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly done: string
}

const limitMs = restartMs
const verbs = {
  start: {
    title: 'Start the console',
    label: 'Start',
    call: ai.startWebConsole({ limitMs }),
    done: 'The console is served.',
  },
  stop: {
    title: 'Stop the console',
    label: 'Stop',
    call: ai.stopWebConsole({ limitMs }),
    done: 'The console is stopped.',
  },
  restart: {
    title: 'Restart the console',
    label: 'Restart',
    call: ai.restartWebConsole({ limitMs }),
    done: 'The console was restarted.',
  },
  fix: {
    title: 'Repair the console',
    label: 'Repair',
    call: ai.fixWebConsole({ limitMs }),
    done: 'The console was repaired.',
  },
  hide: {
    title: 'Hide the console from the network',
    label: 'Hide',
    call: ai.disableWebConsoleLan({ limitMs }),
    done: 'The console is hidden from the network.',
  },
} as const satisfies Readonly<Record<string, Asked>>

function WebConsole() {
  const { data, error, refetch } = useWebConsole()
  const [asked, setAsked] = useState<Asked | 'show'>()
  const close = () => setAsked(undefined)
  return (
    <SectionCard title="In the browser">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={2} />}
      {data && <State status={data} />}
      {data && (
        <Group gap="xs">
          {data.enabled ? (
            <>
              <CutOffButton onClick={() => setAsked(verbs.restart)}>Restart console</CutOffButton>
              <CutOffButton onClick={() => setAsked(verbs.stop)}>Stop console</CutOffButton>
            </>
          ) : (
            <Button onClick={() => setAsked(verbs.start)}>Start console</Button>
          )}
          <Button variant="default" onClick={() => setAsked(verbs.fix)}>
            Repair
          </Button>
          {data.lan && (
            <CutOffButton onClick={() => setAsked(verbs.hide)}>Hide from the network</CutOffButton>
          )}
          {!data.lan && data.enabled && (
            <Button variant="default" onClick={() => setAsked('show')}>
              Show to the network
            </Button>
          )}
        </Group>
      )}
      <Health />
      {asked === 'show' && (
        <PlannedForm
          title="Show the console to the network"
          confirmLabel="Show it"
          schema={Lan}
          text={{ port: { label: 'Port', hint: 'Served over TLS with the certificate of the panel' } }}
          callOf={(body: { port: number }) => ai.enableWebConsoleLan({ body, limitMs })}
          onClose={close}
          onDone={() => done(close, 'The network reaches the console.')}
        />
      )}
      {typeof asked === 'object' && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          call={asked.call}
          onClose={close}
          onDone={() => done(close, asked.done)}
        />
      )}
    </SectionCard>
  )
}

const State = ({ status: { enabled, running, url, lan_url } }: { readonly status: ConsoleStatus }) => (
  <>
    <Group gap="xs">
      <StateBadge state={enabled ? (running ? 'active' : 'down') : 'stopped'} />
      <Text size="sm">On this host: {url}</Text>
    </Group>
    {lan_url !== null && (
      <Alert color="orange" title="The network reaches it">
        <a href={lan_url} target="_blank" rel="noreferrer">
          {lan_url}
        </a>{' '}
        asks for the token of the gateway, and each browser has to be admitted below.
        <Token />
      </Alert>
    )}
  </>
)

/** The token of the gateway, which only superusers may see. */
function Token() {
  const { data: me } = useMe()
  const [isShown, setShown] = useState(false)
  const { data, error, refetch } = useConsoleToken(isShown)
  if (me?.is_admin !== true) return <Text size="sm">A superuser sees the token here.</Text>
  if (!isShown)
    return (
      <Button size="xs" mt="xs" variant="default" onClick={() => setShown(true)}>
        Show the token
      </Button>
    )
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading rows={1} />
  return (
    <Group mt="xs">
      <Copyable value={data} label="Token of the gateway" />
    </Group>
  )
}

function Health() {
  const { data } = useConsoleHealth()
  if (!data) return null
  return (
    <List size="sm" aria-label="Checks" spacing={4}>
      {data.checks.map(({ name, ok, detail }) => (
        <List.Item key={name}>
          {name}: {ok ? 'ok' : detail}
        </List.Item>
      ))}
    </List>
  )
}

const Browsers = ({ status }: { readonly status: AssistantStatus }) => (
  <SectionCard title="Browsers">
    <PairingTable
      label="Browsers that wait"
      hint="A browser that signs in from the network for the first time is listed here."
      query={{ data: status.pairings, error: null, isFetching: false, refetch: () => undefined }}
      reason={null}
      callOf={(body) => ai.approveDevicePairing({ body })}
    />
  </SectionCard>
)

function OnTerminal({ isReady }: { readonly isReady: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SectionCard title="On a terminal">
      {!isOpen && (
        <Button w="fit-content" variant="default" disabled={!isReady} onClick={() => setOpen(true)}>
          Open the text console
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={<Loading rows={6} />}>
          <TextConsole />
        </Suspense>
      )}
    </SectionCard>
  )
}
