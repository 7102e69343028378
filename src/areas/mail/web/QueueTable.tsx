import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { formatBytes } from '../../../web/kit/format.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { MailQueue } from '../model.ts'
import { useMailQueue } from './queries.ts'

type QueuedMail = MailQueue['messages'][number]

const columns: Column<QueuedMail>[] = [
  { id: 'id', title: 'ID', value: ({ id }) => id, cell: ({ id }) => <Text size="sm">{id}</Text> },
  {
    id: 'queued',
    title: 'Queued',
    value: ({ queued_at }) => queued_at,
    cell: ({ queued_at }) => <Moment time={queued_at} />,
  },
  {
    id: 'size',
    title: 'Size',
    value: ({ size_bytes }) => size_bytes,
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'sender',
    title: 'Sender',
    value: ({ sender }) => sender,
    cell: ({ sender }) => <span className="anywhere">{sender || 'Delivery report'}</span>,
  },
  {
    id: 'recipients',
    title: 'Recipients',
    width: '40%',
    value: ({ recipients }) => recipients.join(', '),
    cell: (row) => <Recipients row={row} />,
  },
]

/** The messages that wait to be delivered. */
export function QueueTable() {
  const { data, ...query } = useMailQueue()
  const page = useWholePage({ ...query, data: data?.messages })
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Queue
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Refresh
        </Button>
      </Group>
      {data && data.total > data.messages.length && (
        <Text size="sm">
          The oldest {data.messages.length} of {data.total} messages
        </Text>
      )}
      <DataTable
        label="Queue"
        columns={columns}
        query={page}
        rowKey={({ id }) => id}
        empty={<Empty title="The queue is empty">Messages that could not be delivered yet wait here.</Empty>}
      />
    </Stack>
  )
}

const Recipients = ({ row: { recipients, reason, is_frozen: isFrozen } }: { readonly row: QueuedMail }) => (
  <>
    <Group gap="xs">
      <span className="anywhere">{recipients.join(', ')}</span>
      {isFrozen && (
        <Badge variant="light" color="orange" tt="none">
          Frozen
        </Badge>
      )}
    </Group>
    {reason !== '' && (
      <Text size="xs" c="dimmed" className="anywhere">
        {reason}
      </Text>
    )}
  </>
)
