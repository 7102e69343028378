import type { Migration } from '../../../core/area.ts'

/** The zones whose DNSSEC is being disabled. */
export const createDnsWithdrawals: Migration = {
  name: '202611291930-dns-withdrawals',
  statements: [
    `create table dns_withdrawals (
      zone text primary key, ds_seconds integer not null, remove_from text, revision integer not null
    )`,
  ],
}
