import type { Page } from '../wire.ts'
import type { Column } from './DataTable.tsx'
import type { ListState } from './list-state.ts'
import { naturally } from './natural-order.ts'

interface WholeList<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** The text of a row that the search looks through. */
  readonly textOf: (row: Row) => string
}

/** Searches, sorts and pages a list that is complete in the browser, as the server does with a longer one. */
export function pageOf<Row>(
  { rows, columns, textOf }: WholeList<Row>,
  { search, sort, page, perPage }: Pick<ListState, 'search' | 'sort' | 'page' | 'perPage'>,
): Page<Row> {
  const wanted = search.trim().toLowerCase()
  const found = rows.filter((row) => textOf(row).toLowerCase().includes(wanted))
  const isDescending = sort.startsWith('-')
  const value = columns.find((column) => column.sort === sort.replace(/^-/, ''))?.value
  if (value !== undefined)
    found.sort((one, other) => naturally(String(value(one)), String(value(other))) * (isDescending ? -1 : 1))
  // the list may have become shorter than the page that was chosen
  const shown = Math.min(page, Math.max(1, Math.ceil(found.length / perPage)))
  const items = found.slice((shown - 1) * perPage, shown * perPage)
  return { items, total: found.length, page: shown, per_page: perPage }
}
