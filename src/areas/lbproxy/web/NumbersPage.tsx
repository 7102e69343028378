import { Alert, Paper, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { formatBytes, formatDuration } from '../../../web/kit/format.ts'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { LbproxyFrame } from './LbproxyFrame.tsx'
import { formatCount, formatMs } from './numbers.ts'
import type { Status } from './queries.ts'
import { toneOf, wordOf } from './states.ts'
import { keyOf, type Row, useTraffic } from './traffic.ts'
import classes from './NumbersPage.module.css'

/** All counters of HAProxy, live. */
export function NumbersPage() {
  return <LbproxyFrame>{(status) => <Numbers status={status} />}</LbproxyFrame>
}

const mostRows = 300
const kinds = [
  { value: 'all', label: 'All' },
  { value: 'frontend', label: 'Frontends' },
  { value: 'backend', label: 'Backends' },
  { value: 'server', label: 'Servers' },
]

function Numbers({ status }: { readonly status: Status }) {
  const traffic = useTraffic(status.running)
  const [kind, setKind] = useState('all')
  if (!status.running)
    return <Empty title="HAProxy is not running">Nothing is counted until it is started.</Empty>
  if (traffic.error && !traffic.data)
    return <Failure error={traffic.error} onRetry={() => void traffic.refetch()} />
  if (!traffic.data) return <Loading />
  if (!traffic.data.isAvailable)
    return <Alert color="orange">HAProxy does not answer on its stats socket.</Alert>
  const rows = inOrder([...traffic.data.rows.values()]).filter((row) => kind === 'all' || row.kind === kind)
  return (
    <>
      <SegmentedControl
        w="fit-content"
        size="xs"
        aria-label="Rows"
        value={kind}
        onChange={setKind}
        data={kinds}
      />
      <Paper
        withBorder
        radius="lg"
        className={classes.frame}
        tabIndex={0}
        role="region"
        aria-label="Statistics of HAProxy"
      >
        <table className={classes.table}>
          <thead>
            <tr>
              {columns.map(({ title, hint }) => (
                <th key={title} scope="col" title={hint}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((row) => (
              <tr
                key={keyOf(row.kind === 'listener' ? 'server' : row.kind, row.proxy, row.server ?? '')}
                data-kind={row.kind}
              >
                {columns.map(({ title, cell }, index) =>
                  index === 0 ? (
                    <th key={title} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={title}>{cell(row)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Paper>
      <Text size="xs" c="dimmed">
        {rows.length > mostRows ? `The first ${mostRows} of ${rows.length}. ` : ''}HAProxy counts from its
        last load on. Rates are those of the last two seconds.
      </Text>
    </>
  )
}

/** Shows a backend above its servers, while HAProxy lists it below them. */
function inOrder(rows: readonly Row[]): readonly Row[] {
  const rank = { frontend: 0, backend: 1, server: 2, listener: 3 } as const
  const proxies = new Map([...new Set(rows.map(({ proxy }) => proxy))].map((proxy, index) => [proxy, index]))
  return rows.toSorted(
    (one, other) =>
      (proxies.get(one.proxy) ?? 0) - (proxies.get(other.proxy) ?? 0) || rank[one.kind] - rank[other.kind],
  )
}

interface NumberColumn {
  readonly title: string
  readonly hint: string
  readonly cell: (row: Row) => React.ReactNode
}

const slash = (...values: readonly number[]) => values.map(formatCount).join(' / ')
const unless = (isAbsent: boolean, text: string) => (isAbsent ? '–' : text)

const columns: readonly NumberColumn[] = [
  {
    title: 'Name',
    hint: 'Frontend, backend, or server of a backend',
    cell: ({ kind, proxy, server }) => (
      <>
        {kind === 'server' ? server : proxy}{' '}
        <span className={classes.kind}>{kind === 'server' ? proxy : kind}</span>
      </>
    ),
  },
  {
    title: 'State',
    hint: 'As reported by HAProxy',
    cell: ({ status }) => <span data-tone={toneOf(status)}>{wordOf(status)}</span>,
  },
  {
    title: 'For',
    hint: 'How long it has been in this state',
    cell: (row) => unless(row.kind === 'frontend', formatDuration(row.changed_seconds_ago)),
  },
  { title: 'Requests/s', hint: 'Now', cell: ({ now }) => formatCount(now.requests) },
  {
    title: 'Requests',
    hint: 'Total; sessions if the protocol is not HTTP',
    cell: (row) => formatCount(row.requests_total || row.sessions_total),
  },
  {
    title: 'Sessions',
    hint: 'Now / maximum / total',
    cell: (row) => slash(row.sessions_current, row.sessions_max, row.sessions_total),
  },
  {
    title: 'New sessions/s',
    hint: 'Now / maximum',
    cell: (row) => slash(row.session_rate, row.session_rate_max),
  },
  {
    title: 'Waiting',
    hint: 'Requests waiting for a server: now / maximum',
    cell: (row) => unless(row.kind === 'frontend', slash(row.queue_current, row.queue_max)),
  },
  { title: 'In', hint: 'Bytes received', cell: ({ bytes_in }) => formatBytes(bytes_in) },
  { title: 'Out', hint: 'Bytes sent', cell: ({ bytes_out }) => formatBytes(bytes_out) },
  { title: '2xx', hint: 'Responses', cell: (row) => formatCount(row.responses_2xx) },
  { title: '3xx', hint: 'Responses', cell: (row) => formatCount(row.responses_3xx) },
  { title: '4xx', hint: 'Responses', cell: (row) => formatCount(row.responses_4xx) },
  { title: '5xx', hint: 'Responses', cell: (row) => formatCount(row.responses_5xx) },
  {
    title: 'Errors',
    hint: 'Failed requests / connections / responses',
    cell: (row) => slash(row.request_errors, row.connection_errors, row.response_errors),
  },
  {
    title: 'Denied',
    hint: 'Requests / responses',
    cell: (row) => slash(row.denied_requests, row.denied_responses),
  },
  {
    title: 'Retries',
    hint: 'Repeated connections',
    cell: (row) => unless(row.kind === 'frontend', formatCount(row.retries)),
  },
  {
    title: 'Queue, connect, response',
    hint: 'Average of the last responses: waiting for a server / connecting / until the response',
    cell: (row) =>
      unless(
        row.kind === 'frontend',
        [row.queue_ms, row.connect_ms, row.response_ms].map(formatMs).join(' / '),
      ),
  },
  {
    title: 'Weight',
    hint: 'Share of the traffic',
    cell: (row) => unless(row.kind === 'frontend', formatCount(row.weight)),
  },
  {
    title: 'Failed checks',
    hint: 'While it was up',
    cell: (row) => unless(row.kind !== 'server', formatCount(row.failed_checks)),
  },
  {
    title: 'Down for',
    hint: 'Total',
    cell: (row) => unless(row.kind === 'frontend', formatDuration(row.downtime_seconds)),
  },
  { title: 'Last check', hint: 'Result', cell: ({ last_check }) => last_check || '–' },
]
