import { boolean, id, json, oneOf, revision, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'
import { RuleConfig, ruledTypes, ruleTypes } from './model.ts'

export const smartRules = table(
  'authdns_rules',
  {
    id: id(),
    /** Without a final dot. */
    zone: text(255),
    /** Absolute, with a final dot. */
    record_name: text(255),
    record_type: oneOf(ruledTypes),
    rule_type: oneOf(ruleTypes),
    config: json(RuleConfig),
    enabled: boolean(),
    created_at: time(),
    revision: revision(),
  },
  { noun: 'smart rule' },
)
export type RuleRow = RowOf<typeof smartRules>

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly authdns_rules: RuleRow
  }
}

/** Returns the queries of the smart rules. */
export function ruleQueries(store: Store) {
  const { db } = store
  return {
    all: (): Promise<readonly RuleRow[]> =>
      db.selectFrom('authdns_rules').selectAll().orderBy('id').execute(),
    ofZone: (zone: string): Promise<readonly RuleRow[]> =>
      db.selectFrom('authdns_rules').selectAll().where('zone', '=', zone).orderBy('id').execute(),
    find: (id: number) => queriesOf(store, smartRules).find({ id }),
    atName: (record_name: string): Promise<readonly RuleRow[]> =>
      db.selectFrom('authdns_rules').selectAll().where('record_name', '=', record_name).execute(),
  }
}

export type RuleQueries = ReturnType<typeof ruleQueries>
