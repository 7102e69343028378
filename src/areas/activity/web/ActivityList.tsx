import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { ActivityFilters, type Chosen } from './ActivityFilters.tsx'
import { EntryDetails } from './EntryDetails.tsx'
import { type Entry, useActivity } from './queries.ts'
import { UndoButton } from './UndoButton.tsx'

const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'ok', label: 'OK' },
  { value: 'failed', label: 'Failed' },
  { value: 'restored', label: 'Restored' },
  { value: 'cancelled', label: 'Cancelled' },
]

const columnsWith = (onShow: (entry: Entry) => void): Column<Entry>[] => [
  {
    id: 'action',
    title: 'Action',
    cell: ({ title, message }) => (
      <>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {message && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {message}
          </Text>
        )}
      </>
    ),
  },
  { id: 'status', title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
  {
    id: 'who',
    title: 'By',
    cell: ({ user_id, user_email, key_id, ip }) => (
      <Text size="sm" className="anywhere">
        {user_email ?? formerUser(user_id)}
        {key_id !== null && ` with key ${key_id}`}{' '}
        <Text span size="xs" c="dimmed">
          {ip}
        </Text>
      </Text>
    ),
  },
  { id: 'when', title: 'When', cell: ({ created_at }) => <Moment time={created_at} /> },
  {
    id: 'more',
    title: 'Details',
    align: 'right',
    cell: (entry) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {entry.undo_refusal === null && <UndoButton entry={entry} />}
        <Button
          size="xs"
          variant="default"
          aria-label={`Details of entry ${entry.id}`}
          onClick={() => onShow(entry)}
        >
          Details
        </Button>
      </Group>
    ),
  },
]

function formerUser(id: number | null): string {
  if (id === null) return 'Anonymous'
  return id === 0 ? 'Command line of this host' : `Deleted user ${id}`
}

/** The entries that match a search, with a button that loads older ones. */
export function ActivityList({ whose }: { readonly whose: 'all' | 'mine' }) {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState('')
  const [chosen, setChosen] = useState<Chosen>({})
  const [shown, setShown] = useState<Entry>()
  const columns = useMemo(() => columnsWith(setShown), [])
  const [settled] = useDebouncedValue(search, 250)
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useActivity(whose, {
    ...(settled && { search: settled }),
    ...(status && { status }),
    ...chosen,
  })
  const page = useMemo(
    () => data && { items: data.pages.flatMap(({ items }) => items), total: 0, page: 1, per_page: 50 },
    [data],
  )
  const filters = (
    <>
      <TextInput
        type="search"
        flex="1 1 220px"
        maw={360}
        aria-label="Search activity"
        placeholder="Search activity"
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Outcome"
        data={outcomes}
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value)}
      />
      <ActivityFilters whose={whose} chosen={chosen} onChoose={setChosen} />
    </>
  )
  return (
    <>
      <DataTable
        label="Activity"
        columns={columns}
        query={{ data: page, error, isFetching, refetch }}
        rowKey={({ id }) => id}
        filters={filters}
        empty={<Empty title="Nothing found">No entry matches.</Empty>}
      />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </Group>
      )}
      {shown && (
        <EntryDetails
          entry={shown}
          onClose={() => setShown(undefined)}
          onFilter={(action) => {
            setShown(undefined)
            setChosen((former) => ({ ...withoutArea(former), action }))
          }}
        />
      )}
    </>
  )
}

const withoutArea = ({ area: _area, ...chosen }: Chosen): Chosen => chosen
