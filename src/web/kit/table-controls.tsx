import { Group, NativeSelect, Pagination, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Column } from './DataTable.tsx'
import type { ListState } from './list-state.ts'
import classes from './DataTable.module.css'

interface TableSearchProps {
  readonly list: ListState | undefined
  readonly label: string | undefined
  readonly columns: readonly Column<never>[]
  readonly children: ReactNode
}

/** Search and filters above a table, and on narrow screens the sort order. */
export function TableSearch({ list, label, columns, children }: TableSearchProps) {
  const sortable = columns.filter((column) => column.sort)
  const orders = sortable.flatMap(({ sort = '', title }) => [
    { value: sort, label: `${title}, ${isTime(sort) ? 'oldest first' : 'A–Z'}` },
    { value: `-${sort}`, label: `${title}, ${isTime(sort) ? 'newest first' : 'Z–A'}` },
  ])
  return (
    <Group className={classes.controls} gap="sm">
      {list && label && (
        <TextInput
          className={classes.search}
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={list.search}
          onChange={(event) => list.setSearch(event.currentTarget.value)}
          maxLength={200}
        />
      )}
      {children}
      {list && orders.length > 0 && (
        <NativeSelect
          className={classes.order}
          aria-label="Order"
          data={orders}
          value={list.sort}
          onChange={(event) => list.setSort(event.currentTarget.value)}
        />
      )}
    </Group>
  )
}

const isTime = (sort: string): boolean => sort.endsWith('_at')

/** The number of rows and the links to the other pages. */
export function TableFooter({
  list,
  total,
  label,
}: {
  readonly list: ListState
  readonly total: number
  readonly label: string
}) {
  const pages = Math.max(1, Math.ceil(total / list.perPage))
  const first = (list.page - 1) * list.perPage + 1
  return (
    <Group className={classes.footer} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {total === 0 ? 'None' : `${first}–${Math.min(total, first + list.perPage - 1)} of ${total}`}
      </Text>
      <Group gap="sm">
        {total > 10 && (
          <NativeSelect
            size="xs"
            aria-label="Rows per page"
            data={['10', '25', '50', '100']}
            value={String(list.perPage)}
            onChange={(event) => list.setPerPage(Number(event.currentTarget.value))}
          />
        )}
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={list.page}
            onChange={list.setPage}
            siblings={1}
            aria-label={`Pages of ${label}`}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          />
        )}
      </Group>
    </Group>
  )
}
