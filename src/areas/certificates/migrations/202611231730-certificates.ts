import type { Migration } from '../../../core/area.ts'

export const createCertificates: Migration = {
  name: '202611231730-certificates',
  statements: [
    `create table website_certificates (
      website_id integer primary key references websites (id) on delete cascade, method text not null, names text not null,
      issuer text not null, not_before text not null, not_after text not null, directory text, ari_id text, renew_at text,
      ari_at text, renewing_until text
    )`,
    'create index website_certificates_by_renewal on website_certificates (renew_at)',
    'create index website_certificates_by_expiry on website_certificates (not_after)',
    `create table certificate_failures (
      website_id integer primary key references websites (id) on delete cascade, error text not null, failed_at text not null,
      count integer not null, retry_at text not null
    )`,
  ],
}
