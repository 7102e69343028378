import {
  type ColumnDef,
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { Column } from './DataTable.tsx'
import { naturally } from './natural-order.ts'
import type { Page } from '../wire.ts'
import type { ListState } from './list-state.ts'

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
})
const none: readonly never[] = []

interface RowsOf<Row> {
  readonly columns: readonly Column<Row>[]
  readonly page: Page<Row> | undefined
  readonly rowKey: (row: Row) => string | number
  readonly list: ListState | undefined
}

/**
 * The rows of a table in the reader's order, and those that are selected. A list that is complete in the browser is
 * sorted here, by names as people read them; of a longer one the server sorts each page.
 */
export function useRows<Row extends object>({ columns, page, rowKey, list }: RowsOf<Row>) {
  const [ownSort, setOwnSort] = useState('')
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({})
  const isComplete = page === undefined || page.items.length >= page.total
  const sort = list ? list.sort : ownSort
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        header: column.title,
        enableSorting: column.value !== undefined,
        accessorFn: column.value ?? (() => ''),
        sortFn: (one, other, id) => naturally(String(one.getValue(id)), String(other.getValue(id))),
      })),
    [columns],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: (page?.items ?? none) as Row[],
    getRowId: (row) => String(rowKey(row)),
    manualSorting: !isComplete,
    enableMultiSort: false,
    state: { sorting: sortingOf(columns, list, sort), rowSelection },
    onRowSelectionChange: setRowSelection,
  })
  const { rows } = table.getRowModel()
  return {
    table,
    rows,
    selected: rows.filter((row) => row.getIsSelected()).map(({ original }) => original),
    sort,
    setSort: list?.setSort ?? setOwnSort,
  }
}

/** The name of a column in the sort order: that of the server, or its own in a list that only the browser sorts. */
export const sortName = <Row>(column: Column<Row>, list: ListState | undefined): string | undefined =>
  list ? column.sort : column.value && column.id

function sortingOf<Row>(columns: readonly Column<Row>[], list: ListState | undefined, sort: string) {
  const name = sort.replace(/^-/, '')
  const column = columns.find((each) => name !== '' && sortName(each, list) === name)
  return column ? [{ id: column.id, desc: sort.startsWith('-') }] : []
}
