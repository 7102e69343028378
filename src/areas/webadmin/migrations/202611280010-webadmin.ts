import type { Migration } from '../../../core/area.ts'

export const createWebadmin: Migration = {
  name: '202611280010-webadmin',
  statements: [
    `create table webadmin (
      id integer primary key, alias text not null, version text not null, php_version text not null, port integer not null,
      revision integer not null
    )`,
  ],
}
