import type { Migration } from '../../../core/area.ts'

/** The credentials of registries; the passwords are sealed. */
export const createRegistries: Migration = {
  name: '202611291720-container-registries',
  statements: [
    `create table container_registries (
      registry text primary key,
      username text not null,
      sealed_password text not null
    )`,
  ],
}
