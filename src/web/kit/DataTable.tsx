import { Paper, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { type ColumnDef, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import type { Page } from '../wire.ts'
import type { ListState } from './list-state.ts'
import { Failure, Loading } from './states.tsx'
import { TableFooter, TableSearch } from './table-controls.tsx'
import classes from './DataTable.module.css'

const features = tableFeatures({ rowSortingFeature })
const none: readonly never[] = []

/** A column and its cell content. `sort` is the server's name of the column if it can be sorted. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly sort?: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
}

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly query: {
    readonly data: Page<Row> | undefined
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly rowKey: (row: Row) => string | number
  readonly empty: ReactNode
  /** Paging, sorting and search on the server; absent if the list is complete. */
  readonly list?: ListState
  readonly searchLabel?: string
  readonly filters?: ReactNode
}

/** A list as a table, or as cards on narrow screens; the server pages, sorts and searches. */
export function DataTable<Row extends object>({
  label,
  columns,
  query,
  rowKey,
  empty,
  list,
  searchLabel,
  filters,
}: DataTableProps<Row>) {
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        header: column.title,
        enableSorting: column.sort !== undefined,
        accessorFn: () => null,
      })),
    [columns],
  )
  const sorting = useMemo(() => sortingOf(columns, list?.sort), [columns, list?.sort])
  const table = useTable({
    features,
    columns: definitions,
    data: (query.data?.items ?? none) as Row[],
    getRowId: (row) => String(rowKey(row)),
    manualSorting: true,
    enableMultiSort: false,
    state: { sorting },
  })
  const isEmpty = query.data?.items.length === 0
  if (query.error && query.data === undefined)
    return <Failure error={query.error} onRetry={() => query.refetch()} />
  return (
    <Paper withBorder radius="lg" className={classes.frame} aria-busy={query.isFetching}>
      {(searchLabel || filters) && (
        <TableSearch list={list} label={searchLabel} columns={columns}>
          {filters}
        </TableSearch>
      )}
      {query.data === undefined && (
        <div className={classes.loading}>
          <Loading />
        </div>
      )}
      {isEmpty && empty}
      {query.data !== undefined && !isEmpty && (
        <Table
          className={classes.table}
          role="table"
          aria-label={label}
          verticalSpacing="sm"
          horizontalSpacing="md"
          highlightOnHover
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map((column) => (
                <Heading key={column.id} column={column} sort={list?.sort} onSort={list?.setSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {table.getRowModel().rows.map((row) => (
              <Table.Tr key={row.id} role="row">
                {/* called as functions: new component types per render lose the focus */}
                {columns.map((column) => (
                  <Table.Td key={column.id} role="cell" data-label={column.title} data-align={column.align}>
                    <div className={classes.value}>{column.cell(row.original)}</div>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {list && query.data && query.data.total > 0 && (
        <TableFooter list={list} total={query.data.total} label={label} />
      )}
    </Paper>
  )
}

function sortingOf<Row>(columns: readonly Column<Row>[], sort = '') {
  const column = columns.find((each) => each.sort === sort.replace(/^-/, ''))
  return column ? [{ id: column.id, desc: sort.startsWith('-') }] : []
}

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

function Heading<Row>({ column, sort = '', onSort }: HeadingProps<Row>) {
  if (column.sort === undefined || onSort === undefined)
    return (
      <Table.Th role="columnheader" scope="col" data-align={column.align}>
        {column.title}
      </Table.Th>
    )
  const direction = sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none'
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return (
    <Table.Th role="columnheader" scope="col" aria-sort={direction} data-align={column.align}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort(direction === 'ascending' ? `-${column.sort}` : (column.sort as string))}
      >
        {column.title}
        <Icon size={14} aria-hidden opacity={direction === 'none' ? 0.45 : 1} />
      </UnstyledButton>
    </Table.Th>
  )
}
