import type { Migration } from '../../../core/area.ts'

export const createDnsTemplates: Migration = {
  name: '202611280340-dns-templates',
  statements: [
    `create table dns_templates (
      id integer primary key, name text not null unique, description text not null, records text not null,
      created_at text not null, revision integer not null
    )`,
  ],
}
