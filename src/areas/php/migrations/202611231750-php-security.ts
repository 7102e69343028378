import type { Migration } from '../../../core/area.ts'

export const createPhpSecurity: Migration = {
  name: '202611231750-php-security',
  statements: [
    `create table php_security (
      id integer primary key, disabled_functions text not null, settings text not null, revision integer not null
    )`,
    `insert into php_security values (1, '[]', '{}', 1)`,
    `create table php_exceptions (
      website_id integer primary key references websites (id) on delete cascade,
      functions text not null, settings text not null
    )`,
  ],
}
