import { Checkbox, Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Page } from '../wire.ts'
import type { Bulk } from './bulk/bulk-action.ts'
import { BulkBar } from './bulk/BulkBar.tsx'
import type { ListState } from './list-state.ts'
import { Failure, Loading } from './states.tsx'
import { TableFooter, TableSearch } from './table-controls.tsx'
import { TableHeading } from './TableHeading.tsx'
import { sortName, useRows } from './use-rows.ts'
import classes from './DataTable.module.css'

/** A column and its cell content. `sort` is the server's name of the column if it can be sorted. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly sort?: string
  /** The text or number that a list is sorted by which is complete in the browser. */
  readonly value?: (row: Row) => string | number
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
  /** Width in a table; by its content if absent. */
  readonly width?: string
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
  /** The actions on selected rows; without them no row can be selected. */
  readonly bulk?: Bulk<Row>
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
  bulk,
}: DataTableProps<Row>) {
  const { table, rows, selected, sort, setSort } = useRows({ columns, page: query.data, rowKey, list })
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
      {bulk && <BulkBar bulk={bulk} selected={selected} onClear={() => table.toggleAllRowsSelected(false)} />}
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
              {bulk && (
                <Table.Th role="columnheader" scope="col" w={44}>
                  <Checkbox
                    aria-label="Select all rows"
                    checked={selected.length === rows.length}
                    indeterminate={selected.length > 0 && selected.length < rows.length}
                    onChange={(event) => table.toggleAllRowsSelected(event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              {columns.map((column) => (
                <TableHeading
                  key={column.id}
                  title={column.title}
                  align={column.align}
                  width={column.width}
                  name={sortName(column, list)}
                  sort={sort}
                  onSort={setSort}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Table.Tr key={row.id} role="row" data-selected={bulk && row.getIsSelected()}>
                {bulk && (
                  <Table.Td role="cell" data-label="Select">
                    <Checkbox
                      aria-label={`Select ${bulk.nameOf(row.original)}`}
                      checked={row.getIsSelected()}
                      onChange={(event) => row.toggleSelected(event.currentTarget.checked)}
                    />
                  </Table.Td>
                )}
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
