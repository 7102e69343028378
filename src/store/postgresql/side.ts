import type { SQLInputValue } from 'node:sqlite'
import type { Client } from 'pg'
import { storable } from './types.ts'
import { listed, quoted, type RowValues, type Side } from '../copying/side.ts'

const rowsAtOnce = 500
let cursors = 0

/** A database of PostgreSQL, within a transaction of the client. */
export function postgresSide(client: Client): Side {
  return {
    rows: async function* ({ columns, name, key }) {
      const cursor = `copy_${(cursors += 1)}`
      const order = key.map((column) => `${quoted(column)} nulls first`).join(', ')
      await client.query(
        `declare ${cursor} no scroll cursor for select ${listed(columns)} from ${quoted(name)} order by ${order}`,
      )
      for (;;) {
        const { rows } = await client.query<SQLInputValue[]>({
          text: `fetch ${rowsAtOnce} from ${cursor}`,
          rowMode: 'array',
        })
        yield* rows
        if (rows.length < rowsAtOnce) break
      }
      await client.query(`close ${cursor}`)
    },
    storable: ({ columns, whole }, row) =>
      row.map((value, index) => {
        const isWhole = typeof value === 'number' && whole.has(columns[index] ?? '')
        return isWhole ? Math.round(value) : storable(value)
      }),
    insert: async ({ name, columns }, rows: readonly RowValues[]) => {
      const marks = rows.map(
        (_row, at) =>
          `(${columns.map((_column, index) => `$${at * columns.length + index + 1}`).join(', ')})`,
      )
      await client.query(
        `insert into ${quoted(name)} (${listed(columns)}) values ${marks.join(', ')}`,
        rows.flat(),
      )
    },
    clear: async ({ name }) => void (await client.query(`delete from ${quoted(name)}`)),
  }
}
