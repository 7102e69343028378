import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import type { SqlproxyStatus } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { ProgramActions } from './ProgramActions.tsx'
import { useStatus } from './queries.ts'

const tabs = [
  { to: '/sqlproxy', label: 'Servers' },
  { to: '/sqlproxy/users', label: 'Users' },
  { to: '/sqlproxy/rules', label: 'Query rules' },
  { to: '/sqlproxy/address', label: 'Virtual address' },
  { to: '/sqlproxy/statistics', label: 'Statistics' },
]

interface ProxyFrameProps {
  /** The page is of use while the proxy does not answer too; others would show empty lists then. */
  readonly isAlwaysShown?: boolean
  readonly children: ReactNode
}

/** The frame of the pages: the state of the proxy, and its installation where it is missing. */
export function ProxyFrame({ isAlwaysShown = false, children }: ProxyFrameProps) {
  const { data: status, error, refetch, isPending } = useStatus()
  const [password, setPassword] = useState<string>()
  return (
    <Page
      title="SQL proxy"
      about={status && <ProxyState status={status} />}
      actions={status?.installed && <ProgramActions status={status} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="sqlproxy.install" />
      {status && !status.installed && <NotInstalled onPassword={setPassword} />}
      {status?.installed && status.reason !== null && (
        <Failure error={new Error(status.reason)} onRetry={() => void refetch()} />
      )}
      {status?.installed && (
        <>
          <PageTabs label="Pages of the SQL proxy" tabs={tabs} />
          {(isAlwaysShown || status.answering) && children}
        </>
      )}
      {password !== undefined && (
        <OnceShownDialog
          title="Password of remote-admin"
          label="password of remote-admin"
          secret={password}
          onClose={() => setPassword(undefined)}
        />
      )}
    </Page>
  )
}

const ProxyState = ({ status: { installed, running, version } }: { readonly status: SqlproxyStatus }) => (
  <Group gap="4px 12px" role="status" aria-label="State of the SQL proxy">
    <StateBadge state={installed ? (running ? 'active' : 'stopped') : 'missing'} />
    {version && <span>ProxySQL {version}</span>}
  </Group>
)

function NotInstalled({ onPassword }: { readonly onPassword: (password: string) => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionCard title="ProxySQL">
      <Empty
        title="ProxySQL is not set up"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Install ProxySQL
          </Button>
        }
      >
        It sends the statements of applications to several SQL servers. Its package must be in the package
        lists of this host.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Install ProxySQL"
          confirmLabel="Install"
          call={sqlproxy.installSqlproxy()}
          onClose={() => setAsking(false)}
          onDone={({ message, remote_password }: { message: string; remote_password: string }) => {
            onPassword(remote_password)
            return done(() => setAsking(false), `${message}.`)
          }}
        />
      )}
    </SectionCard>
  )
}
