import type { Migration } from '../../../core/area.ts'

export const addWebsiteTls: Migration = {
  name: '202611231730-website-tls',
  statements: [
    'alter table websites add column certificate text',
    'alter table websites add column https_redirect integer not null default 0',
    'alter table websites add column hsts integer not null default 0',
  ],
}
