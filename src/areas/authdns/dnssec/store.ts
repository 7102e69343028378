import { integer, optional, revision, text, time } from '../../../store/columns.ts'
import type { Store } from '../../../store/store.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { type RowOf, table } from '../../../store/table.ts'

/** The zones whose key is being replaced by another one. */
export const rollovers = table('dns_rollovers', {
  zone: text(255, { key: true }),
  /** The DNSKEY of the new key: its number in PowerDNS changes where an undo restores it. */
  dnskey: text(2000),
  /** The TTL of the DS in the parent zone at the start. */
  ds_seconds: integer(),
  started_at: time(),
  /** From then on, no resolver has the keys of the zone without the new one. */
  publish_from: time(),
  /** From then on, no resolver has the DS of the former key alone; null until the parent has that of the new one. */
  finish_from: optional(time()),
  revision: revision(),
})
export type RolloverRow = RowOf<typeof rollovers>

/** The zones whose DNSSEC is being disabled: their DS goes before their keys. */
export const withdrawals = table('dns_withdrawals', {
  zone: text(255, { key: true }),
  /** The TTL of the DS in the parent zone. */
  ds_seconds: integer(),
  /** From then on, no resolver has the DS; null until it is gone from the parent. */
  remove_from: optional(time()),
  revision: revision(),
})

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly dns_rollovers: RolloverRow
    readonly dns_withdrawals: RowOf<typeof withdrawals>
  }
}

/** Returns the queries of the key roll-overs. */
export const rolloverQueries = (store: Store) => ({
  find: (zone: string) => queriesOf(store, rollovers).find({ zone }),
})

export type RolloverQueries = ReturnType<typeof rolloverQueries>

/** Returns the queries of the zones whose DNSSEC is being disabled. */
export const withdrawalQueries = (store: Store) => ({
  find: (zone: string) => queriesOf(store, withdrawals).find({ zone }),
})

export type WithdrawalQueries = ReturnType<typeof withdrawalQueries>
