import { type SelectQueryBuilder, sql } from 'kysely'
import { NotFound } from '../core/problem.ts'
import type { ListQuery, Page } from '../core/reply.ts'
import { readPage } from './page.ts'
import type { Db } from './database.ts'
import { assertGiven, type Columns, type RowOf, type Table } from './table.ts'

/** The queries that every table has. A condition names columns and the values that they contain. */
export interface TableQueries<Row> {
  find(where: Partial<Row>): Promise<Row | undefined>
  /** The row; 404 where there is none. The message names the first value of the condition, after `field`. */
  load(where: Partial<Row>, field?: string): Promise<Row>
  /** One page of the rows that meet the condition. */
  page(query: ListQuery, where?: Partial<Row>): Promise<Page<Row>>
}

/** Binds the queries of a table to the store. */
export function queriesOf<C extends Columns>(
  { db }: { readonly db: Db },
  { name, noun, search }: Table<C>,
): TableQueries<RowOf<Table<C>>> {
  type Row = RowOf<Table<C>>
  const rows = (where: Partial<Row>) =>
    Object.entries(assertGiven(where)).reduce(
      (query, [column, value]) => query.where(sql.ref(column), value === null ? 'is' : '=', value),
      db.selectFrom(name as never).selectAll() as unknown as SelectQueryBuilder<
        Record<string, Row>,
        string,
        Row
      >,
    )
  const find = (where: Partial<Row>) => rows(where).executeTakeFirst()
  return {
    find,
    load: async (where, field = 'id') => {
      const row = await find(where)
      if (row === undefined)
        throw NotFound(`${field}: there is no ${noun} ${String(Object.values(where)[0])}`)
      return row
    },
    page: (query, where = {}) => readPage(rows(where), query, { search }),
  }
}
