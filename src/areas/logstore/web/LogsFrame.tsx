import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { logstore } from './api.ts'
import { useLogstoreStatus } from './queries.ts'

const tabs = [
  { to: '/logs', label: 'Explorer' },
  { to: '/logs/sources', label: 'Sources' },
  { to: '/logs/retention', label: 'Retention' },
]

interface LogsFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages: the state of OpenSearch, and its installation where it is missing. */
export function LogsFrame({ actions, children }: LogsFrameProps) {
  const { data: status, error, refetch, isPending } = useLogstoreStatus()
  return (
    <Page
      title="Logs"
      about={`Lines of this host and others, in OpenSearch ${status?.version ?? ''}`.trim()}
      actions={status?.installed && actions}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="logstore.install" />
      {status && !status.installed && <NotInstalled />}
      {status?.installed && (
        <>
          {status.reason !== null && (
            <Failure error={new Error(status.reason)} onRetry={() => void refetch()} />
          )}
          {!status.answering && status.queued_bytes > 0 && (
            <Text size="sm">
              {formatBytes(status.queued_bytes)} of lines wait on the disk until it answers.
            </Text>
          )}
          <PageTabs label="Pages of logs" tabs={tabs} />
          {children}
        </>
      )}
    </Page>
  )
}

function NotInstalled() {
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionCard title="OpenSearch">
      <Empty
        title="The log store is not installed"
        action={
          <Group mt="sm">
            <Button onClick={() => setAsking(true)}>Install</Button>
          </Group>
        }
      >
        The panel installs OpenSearch and rsyslog. OpenSearch takes a quarter of the memory, at least 512 MiB.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Install the log store"
          confirmLabel="Install"
          call={logstore.installLogstore()}
          onClose={() => setAsking(false)}
          onDone={({ message }: { readonly message: string }) => {
            setAsking(false)
            notify(message)
            void readAgain('logstore', 'jobs')
          }}
        />
      )}
    </SectionCard>
  )
}
