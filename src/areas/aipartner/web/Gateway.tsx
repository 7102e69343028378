import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { PartnerGatewayDraft, type PartnerGatewayStatus } from '../model.ts'
import { aipartner } from './api.ts'
import { done, useGateway } from './queries.ts'

/** The gateway: its installation, its process at PM2, and its removal. */
export function Gateway() {
  const { data, error, refetch, isPending } = useGateway()
  return (
    <SectionCard title="Gateway">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && (data.installed ? <Installed status={data} /> : <NotInstalled status={data} />)}
      {data?.install_log && (
        <LogLines label="Log of the installation" lines={data.install_log.split('\n')} isFollowing />
      )}
    </SectionCard>
  )
}

const text = { token: { label: 'Token of the gateway', hint: 'The partner shows it beside the gateway' } }

function NotInstalled({
  status: { install_status: state, last_error: error },
}: {
  readonly status: PartnerGatewayStatus
}) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  if (state === 'installing')
    return (
      <Text size="sm" role="status">
        The gateway is being installed …
      </Text>
    )
  return (
    <>
      {error && (
        <Alert color="red" title="The installation failed" role="alert">
          <Text size="sm" className="anywhere">
            {error}
          </Text>
        </Alert>
      )}
      <Empty
        title="The gateway is not installed"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Install the gateway
          </Button>
        }
      >
        The panel downloads and verifies it, and PM2 runs it under an account of its own.
      </Empty>
      {isAsking && (
        <PlannedForm
          title="Install the gateway"
          confirmLabel="Install"
          schema={PartnerGatewayDraft}
          text={text}
          callOf={(body: { readonly token: string }) => aipartner.installGateway({ body })}
          onClose={close}
          onDone={() => done(close, 'The gateway is being installed.')}
        />
      )}
    </>
  )
}

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
  readonly isCutOff: boolean
  readonly done: string
}

const restart: Asked = {
  title: 'Restart the gateway',
  label: 'Restart',
  call: aipartner.restartGateway(),
  isCutOff: false,
  done: 'The gateway was restarted.',
}
const stop: Asked = {
  title: 'Stop the gateway',
  label: 'Stop',
  call: aipartner.stopGateway(),
  isCutOff: true,
  done: 'The gateway was stopped.',
}
const remove: Asked = {
  title: 'Remove the gateway',
  label: 'Remove',
  call: aipartner.removeGateway(),
  isCutOff: true,
  done: 'The gateway was removed.',
}

function Installed({ status }: { readonly status: PartnerGatewayStatus }) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Facts status={status} />
      <Group gap="sm">
        <Button variant="default" onClick={() => setAsked(restart)}>
          Restart
        </Button>
        <CutOffButton onClick={() => setAsked(stop)}>Stop</CutOffButton>
        <CutOffButton onClick={() => setAsked(remove)}>Remove</CutOffButton>
      </Group>
      {asked && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          call={asked.call}
          isCutOff={asked.isCutOff}
          onClose={close}
          onDone={() => done(close, asked.done)}
        />
      )}
    </>
  )
}

const mib = 1024 * 1024

const Facts = ({ status }: { readonly status: PartnerGatewayStatus }) => (
  <>
    <Group gap="4px 12px" role="status" aria-label="State of the gateway">
      <StateBadge state={status.running ? 'running' : 'stopped'} />
      {status.process_manager_status && <span>PM2: {status.process_manager_status}</span>}
      {status.memory_bytes !== undefined && <span>{Math.round(status.memory_bytes / mib)} MiB</span>}
      {status.cpu_percent !== undefined && <span>{status.cpu_percent} % of a processor</span>}
      {status.restart_count !== undefined && <span>{status.restart_count} restarts</span>}
      {status.installed_at && (
        <span>
          installed <Moment time={status.installed_at} />
        </span>
      )}
    </Group>
    {status.last_error && (
      <Text size="sm" c="red" className="anywhere">
        {status.last_error}
      </Text>
    )}
  </>
)
