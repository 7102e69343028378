import { id, oneOf, revision } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { webServerNames } from '../../tools/web-server.ts'

/** One row: which web server serves the websites. */
export const webServer = table(
  'web_server',
  { id: id(), active: oneOf(webServerNames), revision: revision() },
  { noun: 'web server' },
)
export type WebServerRow = RowOf<typeof webServer>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly web_server: WebServerRow
  }
}

const byDefault: WebServerRow = { id: 1, active: 'nginx', revision: 0 }

/** Returns the query of the row; revision 0 where there is none yet. */
export const webServerQueries = (store: Store) => ({
  chosen: async (): Promise<WebServerRow> => (await queriesOf(store, webServer).find({ id: 1 })) ?? byDefault,
})
