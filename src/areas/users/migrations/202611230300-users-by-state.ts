import type { Migration } from '../../../core/area.ts'

/** The list of users is filtered by state. */
export const indexSuspendedUsers: Migration = {
  name: '202611230300-users-by-state',
  statements: ['create index users_by_state on users (is_suspended, email)'],
}
