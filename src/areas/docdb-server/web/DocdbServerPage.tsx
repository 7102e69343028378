import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { formatBytes, formatDuration } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { SqldbTabs } from '../../sqldb/web/SqldbTabs.tsx'
import type { DocdbStatus } from '../model.ts'
import { Accounts } from './Accounts.tsx'
import { Backups } from './Backups.tsx'
import { useDocdbStatus } from './queries.ts'
import { ServerActions } from './ServerActions.tsx'

/** The document database server: its state, backups and accounts. */
export function DocdbServerPage() {
  const { data: status, error, refetch } = useDocdbStatus()
  return (
    <Page
      title="Document server"
      about={status ? <ServerState status={status} /> : 'MongoDB, its accounts and backups.'}
      actions={status?.installed && <ServerActions isRunning={status.running} />}
    >
      <SqldbTabs />
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && !status.installed && <NotInstalled />}
      {status?.installed && <Installed status={status} />}
    </Page>
  )
}

const ServerState = ({ status: { installed, running, version } }: { readonly status: DocdbStatus }) => (
  <Group gap="4px 12px" role="status" aria-label="State of the document server">
    <StateBadge state={installed ? (running ? 'active' : 'stopped') : 'missing'} />
    {version && <span>MongoDB {version}</span>}
  </Group>
)

const NotInstalled = () => (
  <Empty
    title="MongoDB is not installed"
    action={<TextLink to="/programs">Install it under Software</TextLink>}
  >
    Debian has no package of it: add the repository of its maker to the sources of apt first, as the guide
    shows.
  </Empty>
)

function Installed({ status }: { readonly status: DocdbStatus }) {
  return (
    <Stack gap="lg">
      <OngoingWork kind="docdb-server.backup" />
      <OngoingWork kind="docdb-server.restore" />
      {status.reason && <Alert color="orange">{status.reason}</Alert>}
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {figuresOf(status).map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text fw={650}>{value}</Text>
          </div>
        ))}
      </SimpleGrid>
      <Backups isRunning={status.running} />
      <Accounts isRunning={status.running} />
    </Stack>
  )
}

const figuresOf = (status: DocdbStatus): readonly (readonly [string, string])[] => [
  ['Uptime', formatDuration(status.uptime)],
  ['Connections', String(status.connections)],
  ['Memory', `${status.memory_mb} MiB`],
  ['Data', formatBytes(status.data_size)],
]
