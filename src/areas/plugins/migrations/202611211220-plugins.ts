import type { Migration } from '../../../core/area.ts'

export const createPlugins: Migration = {
  name: '202611211220-plugins',
  statements: [
    'create table plugins (name text primary key, enabled integer not null, updated_at text not null)',
  ],
}
