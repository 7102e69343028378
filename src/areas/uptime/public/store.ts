import { boolean, id, revision, text } from '../../../store/columns.ts'
import { type RowOf, table } from '../../../store/table.ts'

/** One row; none while the page was never set. */
export const statusPage = table(
  'uptime_status_page',
  {
    id: id(),
    is_enabled: boolean(),
    title: text(200),
    /** With commas between; empty for all. */
    monitor_ids: text(2000),
    revision: revision(),
  },
  { noun: 'status page' },
)
export type StatusPageRow = RowOf<typeof statusPage>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly uptime_status_page: StatusPageRow
  }
}
