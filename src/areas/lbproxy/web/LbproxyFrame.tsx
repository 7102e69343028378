import type { ReactNode } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type Status, useStatus } from './queries.ts'
import { ProgramActions, ProgramState } from './Program.tsx'

const tabs = [
  { to: '/lbproxy', label: 'Overview' },
  { to: '/lbproxy/numbers', label: 'Statistics' },
  { to: '/lbproxy/config', label: 'Configuration' },
  { to: '/lbproxy/certificates', label: 'Certificates' },
  { to: '/lbproxy/backups', label: 'Backups' },
]

/** The frame of every load balancer page: the state of HAProxy and the tabs. */
export function LbproxyFrame({ children }: { readonly children: (status: Status) => ReactNode }) {
  const { data: status, error, refetch } = useStatus()
  return (
    <Page
      title="Load balancer"
      about={status && <ProgramState status={status} />}
      actions={status?.installed && <ProgramActions status={status} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && (
        <>
          <PageTabs label="Pages of the load balancer" tabs={tabs} />
          {children(status)}
        </>
      )}
    </Page>
  )
}
