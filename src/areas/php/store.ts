import Type from 'typebox'
import { id, json, ref, revision } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'

const names = Type.Array(Type.String())

/** One row: what the PHP of all websites may not do. */
export const phpSecurity = table('php_security', {
  id: id(),
  disabled_functions: json(names),
  settings: json(Type.Record(Type.String(), Type.String())),
  revision: revision(),
})

/** What one website may do nevertheless. */
export const phpExceptions = table('php_exceptions', {
  website_id: ref('websites', { key: true }),
  functions: json(names),
  settings: json(names),
})

declare module '../../store/tables.ts' {
  interface Tables {
    readonly php_security: RowOf<typeof phpSecurity>
    readonly php_exceptions: RowOf<typeof phpExceptions>
  }
}

/** Returns this area's queries. */
export function phpQueries(store: Store) {
  const { db } = store
  return {
    security: () => queriesOf(store, phpSecurity).load({ id: 1 }),
    /** Returns the exceptions with the domains of their websites. */
    exceptions: async () => {
      const rows = await db
        .selectFrom('php_exceptions')
        .innerJoin('websites', 'websites.id', 'php_exceptions.website_id')
        .select(['php_exceptions.website_id', 'functions', 'settings', 'websites.domain'])
        .orderBy('websites.domain')
        .execute()
      return rows.map(({ domain, ...row }) => ({ ...phpExceptions.show(row), domain }))
    },
  }
}

export type PhpQueries = ReturnType<typeof phpQueries>
