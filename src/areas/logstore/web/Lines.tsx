import { Button, Group, Text } from '@mantine/core'
import type { Static } from 'typebox'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatMoment } from '../../../web/kit/format.ts'
import { plainText } from '../../../web/kit/plain-text.ts'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { LogLine } from '../model.ts'
import type { Asked } from './asked.ts'
import { useLines } from './queries.ts'

type Line = Static<typeof LogLine> & { readonly key: number }

const columns: readonly Column<Line>[] = [
  {
    id: 'time',
    title: 'Time',
    cell: (line) => <Text size="xs">{line['@timestamp'] ? formatMoment(line['@timestamp']) : ''}</Text>,
  },
  {
    id: 'severity',
    title: 'Severity',
    cell: ({ severity = '' }) => (severity === '' ? '' : <StateBadge state={badges[severity] ?? severity} />),
  },
  {
    id: 'host',
    title: 'Host',
    cell: ({ host = '', program = '' }) => (
      <Text size="xs" className="anywhere">
        {host} {program}
      </Text>
    ),
  },
  {
    id: 'message',
    title: 'Message',
    width: '60%',
    cell: ({ message = '' }) => (
      <Text size="sm" ff="monospace" className="anywhere">
        {plainText(message)}
      </Text>
    ),
  },
]

/** The severities that have the color of a state. */
const badges: Readonly<Record<string, string>> = { err: 'error' }
const pageSize = 100
const mostReachable = 10_000

interface LinesProps {
  readonly asked: Asked
  readonly onPage: (from: number) => void
}

/** The lines of a search, the newest first, a hundred at a time. */
export function Lines({ asked, onPage }: LinesProps) {
  const { data, ...query } = useLines(asked)
  const { from } = asked
  const shown = useWholePage({
    ...query,
    data: data?.hits.map((line, index) => ({ ...line, key: from + index })),
  })
  const total = data?.total ?? 0
  const end = Math.min(from + pageSize, total)
  return (
    <>
      <DataTable
        label="Lines"
        columns={columns}
        query={shown}
        rowKey={({ key }) => key}
        empty={<Empty title="No lines">Choose a longer time, or fewer words.</Empty>}
      />
      {total > pageSize && (
        <Group justify="space-between">
          <Button
            variant="default"
            disabled={from === 0}
            onClick={() => onPage(Math.max(0, from - pageSize))}
          >
            Newer
          </Button>
          <Text size="sm">
            {(from + 1).toLocaleString()} to {end.toLocaleString()} of {total.toLocaleString()}
          </Text>
          <Button
            variant="default"
            disabled={end >= total || end + pageSize > mostReachable}
            onClick={() => onPage(from + pageSize)}
          >
            Older
          </Button>
        </Group>
      )}
    </>
  )
}
