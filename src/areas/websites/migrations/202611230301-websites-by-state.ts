import type { Migration } from '../../../core/area.ts'

/** The list of websites is filtered by state. */
export const indexSuspendedWebsites: Migration = {
  name: '202611230301-websites-by-state',
  statements: ['create index websites_by_state on websites (is_suspended, domain)'],
}
