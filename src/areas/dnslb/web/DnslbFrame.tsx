import { Button, Group, Text } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { dnslb } from './api.ts'
import { done, useStatus, useSwitch } from './queries.ts'

const tabs = [
  { to: '/dnslb', label: 'Servers' },
  { to: '/dnslb/lists', label: 'Lists' },
  { to: '/dnslb/rules', label: 'Rules' },
  { to: '/dnslb/config', label: 'Configuration' },
  { to: '/dnslb/others', label: 'Other servers' },
]

type Status = NonNullable<ReturnType<typeof useStatus>['data']>

interface DnslbFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages: the state of dnsdist, and its installation where it is missing. */
export function DnslbFrame({ actions, children }: DnslbFrameProps) {
  const { data: status, error, refetch, isPending } = useStatus()
  const isReady = status?.installed === true && status.reason === null
  return (
    <Page
      title="DNS balancer"
      about={status?.installed ? <State status={status} /> : 'Name servers behind dnsdist.'}
      actions={
        isReady && (
          <>
            <Switches isRunning={status.running} />
            {actions}
          </>
        )
      }
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {status && !isReady && <NotReady status={status} />}
      {isReady && (
        <>
          <PageTabs label="Pages of the DNS balancer" tabs={tabs} />
          {children}
        </>
      )}
    </Page>
  )
}

const State = ({
  status: { running, version, started_at, addresses, reason },
}: {
  readonly status: Status
}) => (
  <Group gap="4px 12px" wrap="wrap" role="status" aria-label="State of dnsdist">
    <StateBadge state={running ? 'running' : 'stopped'} />
    <span>dnsdist {version}</span>
    {started_at && (
      <span>
        since <Moment time={started_at} />
      </span>
    )}
    {addresses.length > 0 && <span>on {addresses.join(', ')}</span>}
    {reason && <span>{reason}</span>}
  </Group>
)

function Switches({ isRunning }: { readonly isRunning: boolean }) {
  const [isStopping, setStopping] = useState(false)
  const act = useSwitch()
  const close = () => setStopping(false)
  if (!isRunning)
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={act.isPending}
        onClick={() => act.mutate('start')}
      >
        Start
      </Button>
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={act.isPending}
        onClick={() => act.mutate('restart')}
      >
        Restart
      </Button>
      <CutOffButton leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => setStopping(true)}>
        Stop
      </CutOffButton>
      {isStopping && (
        <ChangeDialog
          title="Stop the DNS balancer"
          confirmLabel="Stop it"
          isCutOff
          call={dnslb.stop()}
          onClose={close}
          onDone={() => done(close, 'dnsdist was stopped.')}
        >
          <Text size="sm">Queries get no answer until it is started again.</Text>
        </ChangeDialog>
      )}
    </>
  )
}

function NotReady({ status: { installed, reason } }: { readonly status: Status }) {
  const [isAsking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<number>()
  const label = installed ? 'Set up dnsdist' : 'Install dnsdist'
  return (
    <SectionCard title="dnsdist">
      <OngoingWork kind="programs.install" />
      <Empty
        title={reason ?? 'dnsdist is not installed'}
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            {label}
          </Button>
        }
      >
        It receives DNS queries and sends them to name servers. The panel installs it from the packages of
        this host, on port 53 or, where that is in use, on a free one from 5300.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title={label}
          confirmLabel={installed ? 'Set up' : 'Install'}
          call={dnslb.install()}
          onClose={() => setAsking(false)}
          onDone={({ job_id }: { readonly job_id: number }) => {
            setAsking(false)
            setJobId(job_id)
          }}
        />
      )}
      {jobId !== undefined && (
        <JobDialog
          title={label}
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('dnslb', 'areas', 'programs', 'jobs')}
        />
      )}
    </SectionCard>
  )
}
