import { Button, Group, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { SqldbStatus } from '../model.ts'
import { sqldb } from './api.ts'
import { useStatus } from './queries.ts'
import { SqldbTabs } from './SqldbTabs.tsx'

/** The frame of every page of the SQL server: its state and the tabs. */
export function SqldbFrame({ children }: { readonly children: ReactNode }) {
  const { data: status, error, refetch } = useStatus()
  return (
    <Page
      title="SQL server"
      about={status && <ServerState status={status} />}
      actions={status?.installed && <ServerActions isRunning={status.running} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && <SqldbTabs />}
      {status && !status.installed && <NotInstalled />}
      {status?.installed && children}
    </Page>
  )
}

const ServerState = ({ status: { installed, running, version } }: { readonly status: SqldbStatus }) => (
  <Group gap="4px 12px" role="status" aria-label="State of the SQL server">
    <StateBadge state={installed ? (running ? 'active' : 'stopped') : 'missing'} />
    {version && <span>MariaDB {version}</span>}
  </Group>
)

function ServerActions({ isRunning }: { readonly isRunning: boolean }) {
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const start = useMutation({
    mutationFn: () => run(sqldb.start()),
    onSuccess: () => notify('The SQL server is running.'),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('sqldb'),
  })
  if (!isRunning)
    return (
      <Button loading={start.isPending} onClick={() => start.mutate()}>
        Start
      </Button>
    )
  return (
    <>
      <CutOffButton onClick={() => setAsking('restart')}>Restart</CutOffButton>
      <CutOffButton onClick={() => setAsking('stop')}>Stop</CutOffButton>
      {asking && (
        <ChangeDialog
          title={asking === 'stop' ? 'Stop the SQL server' : 'Restart the SQL server'}
          confirmLabel={asking === 'stop' ? 'Stop it' : 'Restart it'}
          isCutOff
          call={sqldb[asking]()}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            setAsking(undefined)
            return readAgain('sqldb')
          }}
        />
      )}
    </>
  )
}

function NotInstalled() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Paper withBorder radius="lg">
      <Empty
        title="MariaDB is not installed"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Install MariaDB
          </Button>
        }
      >
        It keeps the databases of websites. The panel installs it from the packages of this host.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Install MariaDB"
          confirmLabel="Install it"
          call={sqldb.install({ body: { type: 'sqlfork' } })}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            return readAgain('sqldb', 'areas', 'programs')
          }}
        />
      )}
    </Paper>
  )
}
