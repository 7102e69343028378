import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { authdns } from './api.ts'
import { useDnsStatus } from './queries.ts'

const tabs = [
  { to: '/dns', label: 'Zones' },
  { to: '/dns/templates', label: 'Templates' },
  { to: '/dns/smart-rules', label: 'Smart rules' },
  { to: '/dns/replication', label: 'Replication' },
  { to: '/dns/sync', label: 'Sync' },
]

interface DnsFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the lists: the state of PowerDNS, and its installation where it is missing. */
export function DnsFrame({ actions, children }: DnsFrameProps) {
  const { data: status, error, refetch, isPending } = useDnsStatus()
  return (
    <Page
      title="DNS"
      about={
        status?.installed
          ? `Authoritative zones, served by PowerDNS ${status.version ?? ''}.`
          : 'Authoritative zones, served by PowerDNS.'
      }
      actions={status?.installed && actions}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="authdns.install" />
      {status && !status.installed && <NotInstalled />}
      {status?.installed && (
        <>
          {status.reason !== null && (
            <Failure error={new Error(status.reason)} onRetry={() => void refetch()} />
          )}
          <PageTabs label="Pages of DNS" tabs={tabs} />
          {children}
        </>
      )}
    </Page>
  )
}

function NotInstalled() {
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionCard title="PowerDNS">
      <Empty
        title="PowerDNS is not set up"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Set up PowerDNS
          </Button>
        }
      >
        The panel installs it with its zones in MariaDB, which must run, and starts it.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Set up PowerDNS"
          confirmLabel="Set up"
          call={authdns.installAuthdns()}
          onClose={() => setAsking(false)}
          onDone={({ message }: { readonly message: string }) => {
            setAsking(false)
            notify(message)
            void readAgain('authdns', 'jobs')
          }}
        />
      )}
    </SectionCard>
  )
}
