import Type from 'typebox'
import { id, json, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { TemplateRecord } from './model.ts'

export const templates = table(
  'dns_templates',
  {
    id: id(),
    name: text(100, { unique: true }),
    description: text(500),
    records: json(Type.Array(TemplateRecord)),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'template', search: ['name', 'description'] },
)
export type TemplateRow = RowOf<typeof templates>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly dns_templates: TemplateRow
  }
}

/** Returns the queries of the templates. */
export const templateQueries = (store: Store) => ({
  ...queriesOf(store, templates),
  /** All of them by name. */
  all: (): Promise<readonly TemplateRow[]> =>
    store.db.selectFrom('dns_templates').selectAll().orderBy('name').execute(),
})
