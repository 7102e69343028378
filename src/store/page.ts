import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely'
import type { ListOptions, ListQuery, Page } from '../core/reply.ts'

/** Reads one page of a query: search, sort (then by `key`, so that pages never overlap), page, and the total before paging. */
export async function readPage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  asked: ListQuery,
  options: Pick<ListOptions, 'search'> & { readonly key?: string },
): Promise<Page<Row>> {
  const found = asked.search ? query.where(matches(options.search, asked.search) as never) : query
  const total = await found
    .clearSelect()
    .select(sql<number>`count(*)`.as('total') as never)
    .executeTakeFirst()
  const isDown = asked.sort.startsWith('-')
  const column = (isDown ? asked.sort.slice(1) : asked.sort) as ReferenceExpression<DB, Table>
  const items = await found
    .orderBy(column as never, isDown ? 'desc' : 'asc')
    .orderBy((options.key ?? 'id') as never)
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
    .execute()
  return { items: items as Row[], total: Number((total as { total: number } | undefined)?.total ?? 0) }
}

function matches(columns: readonly string[], text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`
  // ignores the case of ASCII letters
  const tests = columns.map((column) => sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`)
  return sql<boolean>`(${sql.join(tests, sql` or `)})`
}
