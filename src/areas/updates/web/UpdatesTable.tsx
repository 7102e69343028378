import { Badge, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { Empty } from '../../../web/kit/states.tsx'
import type { Update } from '../model.ts'
import { useUpdates } from './queries.ts'

const typeOf = ({ security }: Update): string => (security ? 'Security' : 'Update')

const columns: Column<Update>[] = [
  {
    id: 'package',
    title: 'Package',
    sort: 'package',
    value: (row) => row.package,
    cell: (row) => (
      <Text size="sm" fw={600} className="anywhere">
        {row.package}
      </Text>
    ),
  },
  {
    id: 'type',
    title: 'Type',
    sort: 'type',
    value: typeOf,
    cell: (row) => (
      <Group gap={4}>
        <Badge variant="light" tt="none" color={row.security ? 'red' : 'gray'}>
          {typeOf(row)}
        </Badge>
        {row.held && (
          <Badge variant="light" tt="none" color="orange">
            On hold
          </Badge>
        )}
        {row.kept_back && (
          <Badge variant="light" tt="none" color="orange">
            Kept back
          </Badge>
        )}
      </Group>
    ),
  },
  {
    id: 'current',
    title: 'Installed',
    cell: ({ current }) => <span className="anywhere">{current ?? 'New'}</span>,
  },
  {
    id: 'candidate',
    title: 'Available',
    cell: ({ candidate }) => <span className="anywhere">{candidate}</span>,
  },
  {
    id: 'source',
    title: 'Source',
    sort: 'source',
    value: ({ source }) => source,
    cell: ({ source }) => <span className="anywhere">{source || '–'}</span>,
  },
]

const filters = {
  all: () => true,
  security: ({ security }: Update) => security,
  left: ({ held, kept_back: isKeptBack }: Update) => held || isKeptBack,
} as const
type Filter = keyof typeof filters
const labels: readonly { readonly value: Filter; readonly label: string }[] = [
  { value: 'all', label: 'All updates' },
  { value: 'security', label: 'Security updates' },
  { value: 'left', label: 'On hold or kept back' },
]

/** The pending updates, security updates first. */
export function UpdatesTable() {
  const { data, ...query } = useUpdates()
  const list = useListState('type')
  const [filter, setFilter] = useState<Filter>('all')
  const page =
    data &&
    pageOf(
      {
        rows: data.updates.filter(filters[filter]),
        columns,
        textOf: (row) => `${row.package} ${row.source}`,
      },
      list,
    )
  const isNone = data?.updates.length === 0
  return (
    <DataTable
      label="Updates"
      columns={columns}
      query={{ ...query, data: page }}
      rowKey={(row) => row.package}
      list={{ ...list, page: page?.page ?? list.page }}
      searchLabel="Search updates"
      filters={
        <NativeSelect
          aria-label="Updates shown"
          value={filter}
          data={[...labels]}
          onChange={(event) => {
            const chosen = labels.find(({ value }) => value === event.currentTarget.value)
            if (chosen) setFilter(chosen.value)
            list.setPage(1)
          }}
        />
      }
      empty={
        <Empty title={isNone ? 'No updates' : 'No updates match'}>
          {isNone && 'Every package has the newest version that the package lists offer.'}
        </Empty>
      }
    />
  )
}
