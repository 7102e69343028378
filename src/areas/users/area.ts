import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { naturalKeys, replicationServers } from '../replication-servers/index.ts'
import { type Context, openUsers } from './context.ts'
import { onDashboard } from './dashboard.ts'
import { accountEdits } from './account-edits.ts'
import { belongings } from './belongings.ts'
import { deleting } from './delete-user.ts'
import { lastingAccess } from './lasting-access.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { ownedSites } from './owned-sites.ts'
import { createUsers } from './migrations/202611211200-users.ts'
import { dropAccountLock } from './migrations/202611221000-no-account-lock.ts'
import { addTimeZones } from './migrations/202611230200-time-zones.ts'
import { addKeyLimits } from './migrations/202611230600-key-limits.ts'
import { addKeyMakers } from './migrations/202611271950-key-makers.ts'
import { createAccountUids } from './migrations/202611271910-account-uids.ts'
import { indexSuspendedUsers } from './migrations/202611230300-users-by-state.ts'

export const users = area({
  name: 'users',
  title: 'Users',
  base: '/users',
  guard: permission('booting_users_management'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [deleting],
  needs: ['sudo'],
  points: [accountEdits, belongings, lastingAccess, ownedSites],
  migrations: [
    createUsers,
    dropAccountLock,
    addTimeZones,
    indexSuspendedUsers,
    addKeyLimits,
    createAccountUids,
    addKeyMakers,
  ],
  uses: [dashboard, replicationServers],
  contributes: ({ users }: Context) => [
    contribution(naturalKeys, {
      noun: 'user',
      paths: ['/api/users/{uid}'],
      nameOf: async (id) => (await users.queries.byId(id))?.email,
      idOf: async (email) => (await users.queries.byEmail(email))?.id,
    }),
    ...onDashboard(users),
  ],
  menu: { group: 'Security', path: '/users', order: 10 },
  open: (deps: Deps): Context => ({ users: openUsers(deps) }),
})
