import type { Migration } from '../../../core/area.ts'

export const createPanelCertificate: Migration = {
  name: '202611292240-panel-certificate',
  statements: [
    `create table panel_certificates (
      id integer primary key, name text not null, fingerprint text not null, issuer text not null, not_before text not null,
      not_after text not null, directory text not null, ari_id text, renew_at text not null, ari_at text, renewing_until text
    )`,
    `create table panel_certificate_failures (
      id integer primary key, name text not null, error text not null, failed_at text not null, count integer not null,
      retry_at text not null
    )`,
  ],
}
