import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { StateFilter } from '../../../web/kit/StateFilter.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import type { Delivery } from '../model.ts'
import { useChannels, useDeliveries } from './queries.ts'

const states = ['waiting', 'sent', 'failed'] as const

/** What was sent to the channels, and why it failed. */
export function Deliveries() {
  const list = useListState('-id')
  const [state, setState] = useState<(typeof states)[number]>()
  const query = useDeliveries({ ...list.asked, ...(state && { state }) })
  const channels = useChannels().data?.channels
  const columns: Column<Delivery>[] = [
    {
      id: 'title',
      title: 'Notification',
      width: '45%',
      cell: ({ title, error, attempts }) => (
        <>
          {title}
          {error !== '' && (
            <Text size="xs" c="dimmed" className="anywhere">
              Attempt {attempts}: {error}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'channel',
      title: 'Channel',
      cell: ({ channel_id: id }) => (
        <span className="anywhere">{channels?.find((each) => each.id === id)?.target ?? '–'}</span>
      ),
    },
    { id: 'state', title: 'State', sort: 'state', cell: (row) => <State row={row} /> },
    {
      id: 'created',
      title: 'Created',
      sort: 'created_at',
      cell: ({ created_at }) => <Moment time={created_at} />,
    },
  ]
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Deliveries
      </Title>
      <DataTable
        label="Deliveries"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search deliveries"
        filters={<StateFilter states={states} value={state} onChange={setState} list={list} />}
        empty={<Empty title="No deliveries">What is sent to your channels is listed here for 30 days.</Empty>}
      />
    </Stack>
  )
}

function State({ row: { state, next_at: next, attempts } }: { readonly row: Delivery }) {
  return (
    <>
      <StateBadge state={state} />
      {state === 'waiting' && attempts > 0 && (
        <Text size="xs" c="dimmed">
          Again <Moment time={next} />
        </Text>
      )}
    </>
  )
}
