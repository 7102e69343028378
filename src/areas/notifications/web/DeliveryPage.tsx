import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Channel, Channels } from '../model.ts'
import { ChannelDialog } from './ChannelDialog.tsx'
import { ConfirmChannel } from './ConfirmChannel.tsx'
import { ChannelSwitch, RemoveChannel, TestChannel } from './channel-actions.tsx'
import { Deliveries } from './Deliveries.tsx'
import { NotificationTabs } from './NotificationTabs.tsx'
import { useChannels } from './queries.ts'

/** Where notifications are sent besides the panel. */
export function DeliveryPage() {
  const { data, ...query } = useChannels()
  const channels = useWholePage({ ...query, data: data?.channels })
  const [edited, setEdited] = useState<Channel | 'new'>()
  const [removed, setRemoved] = useState<Channel>()
  const columns: Column<Channel>[] = [
    {
      id: 'target',
      title: 'Channel',
      width: '45%',
      cell: (row) => <Target row={row} kinds={data?.kinds ?? []} />,
    },
    { id: 'on', title: 'Enabled', cell: (row) => <ChannelSwitch channel={row} all={data?.channels ?? []} /> },
    {
      id: 'do',
      title: 'Actions',
      align: 'right',
      cell: (row) => (
        <Group gap="xs" justify="flex-end">
          {row.confirmed_at === null ? <ConfirmChannel channel={row} /> : <TestChannel channel={row} />}
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit ${row.target}`}
            onClick={() => setEdited(row)}
          >
            Edit
          </Button>
          <CutOffButton size="xs" aria-label={`Delete ${row.target}`} onClick={() => setRemoved(row)}>
            Delete
          </CutOffButton>
        </Group>
      ),
    },
  ]
  return (
    <Page title="Delivery" about="Notifications can be sent to e-mail addresses and webhooks of yours.">
      <NotificationTabs />
      <Stack gap="xl">
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2} size="h4">
              Channels
            </Title>
            <Button variant="default" disabled={!data} onClick={() => setEdited('new')}>
              Add a channel
            </Button>
          </Group>
          <DataTable
            label="Channels"
            columns={columns}
            query={channels}
            rowKey={({ id }) => id}
            empty={<Empty title="No channels">Notifications are shown in the panel only.</Empty>}
          />
        </Stack>
        <Deliveries />
      </Stack>
      {edited && data && (
        <ChannelDialog
          all={data}
          edited={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && data && (
        <RemoveChannel channel={removed} all={data.channels} onClose={() => setRemoved(undefined)} />
      )}
    </Page>
  )
}

function Target({ row, kinds }: { readonly row: Channel; readonly kinds: Channels['kinds'] }) {
  const chosen = row.kinds && kinds.filter(({ name }) => row.kinds?.includes(name)).map(({ title }) => title)
  return (
    <>
      <Text size="sm" className="anywhere">
        {row.target}
      </Text>
      <Text size="xs" c="dimmed">
        {row.type === 'email' ? 'E-mail' : 'Webhook'} ·{' '}
        {chosen ? chosen.join(', ') || 'nothing' : 'everything'}
      </Text>
      {row.confirmed_at === null && <Text size="xs">Not confirmed: nothing is sent to it yet</Text>}
    </>
  )
}
