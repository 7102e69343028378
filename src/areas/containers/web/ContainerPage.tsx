import { Code, Group, List, Table, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { formatBytes } from '../../../web/kit/format.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionTabs } from '../../../web/kit/SectionTabs.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import type { Container } from '../model.ts'
import { ContainerActions, ContainerDialog } from './ContainerActions.tsx'
import { ContainerLog } from './ContainerLog.tsx'
import { useConfig, useContainers, useHistory, useInspection, useStats } from './queries.ts'
import { type Asking, portTexts, stateOf } from './state.ts'

const ContainerTerminal = lazy(() =>
  import('./ContainerTerminal.tsx').then(({ ContainerTerminal: default_ }) => ({ default: default_ })),
)

/** One container, in tabs. */
export function ContainerPage() {
  const { name = '' }: { name?: string } = useParams({ strict: false })
  const { data, error, refetch } = useContainers()
  const [asking, ask] = useState<Asking>()
  const container = data?.find((each) => each.name === name)
  if (container === undefined)
    return (
      <Page title={name}>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && (data ? <Empty title={`No container named "${name}"`} /> : <Loading />)}
      </Page>
    )
  return (
    <Page
      title={name}
      about={<Facts container={container} />}
      actions={<ContainerActions container={container} onAsk={ask} />}
    >
      <SectionTabs label={`Views of ${name}`} tabs={tabsOf(container)} />
      {asking && <ContainerDialog asking={asking} onClose={() => ask(undefined)} />}
    </Page>
  )
}

const tabsOf = (container: Container) => [
  { name: 'overview', label: 'Overview', content: <Overview container={container} /> },
  { name: 'log', label: 'Log', content: <ContainerLog id={container.id} name={container.name} /> },
  { name: 'stats', label: 'Statistics', content: <Statistics id={container.id} /> },
  { name: 'config', label: 'Configuration', content: <Configuration id={container.id} /> },
  { name: 'terminal', label: 'Terminal', content: <Shell container={container} /> },
  { name: 'history', label: 'History', content: <History id={container.id} /> },
]

const Facts = ({ container }: { readonly container: Container }) => (
  <Group gap="4px 12px">
    <StateBadge state={stateOf(container)} />
    <span>{container.image}</span>
    <span>{container.status}</span>
  </Group>
)

function Overview({ container }: { readonly container: Container }) {
  const ports = portTexts(container)
  return (
    <Rows
      label={`Overview of ${container.name}`}
      rows={[
        ['Id', <Code key="id">{container.id.slice(0, 12)}</Code>],
        ['Created', <Moment key="created" time={container.created} />],
        ['Ports and who can reach them', ports.length === 0 ? 'None published' : ports.join(', ')],
      ]}
    />
  )
}

function Statistics({ id }: { readonly id: string }) {
  const used = useStats().get(id)
  if (used === undefined) return <Empty title="The container is not running" />
  return (
    <Rows
      label="Statistics"
      rows={[
        ['CPU', used.cpu_percent === null ? '–' : `${used.cpu_percent.toFixed(1)} % of a core`],
        ['Memory', `${formatBytes(used.memory_bytes)} of ${formatBytes(used.memory_limit_bytes)}`],
        ['Network', `${formatBytes(used.received_bytes)} received, ${formatBytes(used.sent_bytes)} sent`],
        ['Disk', `${formatBytes(used.read_bytes)} read, ${formatBytes(used.written_bytes)} written`],
        ['Processes', String(used.processes)],
      ]}
    />
  )
}

function Configuration({ id }: { readonly id: string }) {
  const { data, error } = useConfig(id)
  const inspection = useInspection(id)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <>
      <Rows
        label="Configuration"
        rows={[
          ['Image', data.image],
          ['Command', data.command || 'That of the image'],
          ['Restart policy', data.restart_policy],
          ['Network', data.network],
          ['Environment', <Lines key="env" lines={data.env} />],
          ['Volumes', <Lines key="volumes" lines={data.volumes} />],
          ['Dangerous options', <Lines key="confirm" lines={data.confirm} />],
        ]}
      />
      {inspection.data && (
        <Code block mt="md" mah={400} tabIndex={0} role="region" aria-label="Inspection">
          {JSON.stringify(inspection.data.inspection, null, 2)}
        </Code>
      )}
    </>
  )
}

const Shell = ({ container: { id, name, state } }: { readonly container: Container }) =>
  state === 'running' ? (
    <Suspense fallback={<Loading rows={6} />}>
      <ContainerTerminal id={id} name={name} />
    </Suspense>
  ) : (
    <Empty title="The container is not running">Start it to open a terminal.</Empty>
  )

function History({ id }: { readonly id: string }) {
  const { data, error } = useHistory(id)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.length === 0) return <Empty title="The panel has not changed this container" />
  return (
    <List mt="md" listStyleType="none">
      {data.map((entry) => (
        <List.Item key={entry.change_id} mb="xs">
          <Group gap="xs">
            <StateBadge state={entry.outcome ?? 'running'} />
            <Text size="sm">{entry.summary}</Text>
            <Moment time={entry.created_at} />
          </Group>
          {entry.error !== null && (
            <Text size="xs" c="dimmed" className="anywhere">
              {entry.error}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  )
}

const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0
    ? '–'
    : lines.map((line) => (
        <Text key={line} size="sm" className="anywhere">
          {line}
        </Text>
      ))

interface RowsProps {
  readonly label: string
  readonly rows: readonly (readonly [title: string, value: React.ReactNode])[]
}

const Rows = ({ label, rows }: RowsProps) => (
  <Table role="table" aria-label={label} mt="md" variant="vertical">
    <Table.Tbody role="rowgroup">
      {rows.map(([title, value]) => (
        <Table.Tr key={title} role="row">
          <Table.Th role="rowheader" scope="row" w={220}>
            {title}
          </Table.Th>
          <Table.Td role="cell" className="anywhere">
            {value}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
