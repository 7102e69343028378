import type { Migration } from '../../../core/area.ts'

/** The mode and the owner that a file is wanted to have; unknown for those that were recorded before. */
export const addDriftRights: Migration = {
  name: '202611291600-drift-rights',
  statements: ['alter table drift_states add column rights text'],
}
