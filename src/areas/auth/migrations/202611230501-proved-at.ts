import type { Migration } from '../../../core/area.ts'

/** A session knows when a code of the second factor was last entered in it. */
export const addProvedAt: Migration = {
  name: '202611230501-proved-at',
  statements: ['alter table sessions add column proved_at text'],
}
