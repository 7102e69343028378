import type { Migration } from '../../../core/area.ts'

/** Who made a key; unknown for those of before. */
export const addKeyMakers: Migration = {
  name: '202611271950-key-makers',
  statements: ['alter table api_keys add column made_by integer'],
}
