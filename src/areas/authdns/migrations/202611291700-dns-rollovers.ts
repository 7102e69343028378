import type { Migration } from '../../../core/area.ts'

/** The zones whose DNSSEC key is being replaced. */
export const createDnsRollovers: Migration = {
  name: '202611291700-dns-rollovers',
  statements: [
    `create table dns_rollovers (
      zone text primary key, dnskey text not null, ds_seconds integer not null, started_at text not null,
      publish_from text not null, finish_from text, revision integer not null
    )`,
  ],
}
