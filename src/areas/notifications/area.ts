import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { type Context, openNotifications } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createNotifications } from './migrations/202611231400-notifications.ts'
import { addInternalReceivers } from './migrations/202611272350-internal-receivers.ts'
import { addConfirmations } from './migrations/202611272355-confirmed-channels.ts'
import * as model from './model.ts'
import { noticed } from './source.ts'
import { pruneOldNotifications } from './tidy.ts'

export const notifications = area({
  name: 'notifications',
  title: 'Notifications',
  base: '/notifications',
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [pruneOldNotifications],
  steps: ({ notifications }: Context) => [notifications.testStep],
  migrations: [createNotifications, addInternalReceivers, addConfirmations],
  points: [noticed],
  uses: [users],
  background: ({ notifications }: Context) => notifications.start(),
  open: (deps: Deps): Context => ({ notifications: openNotifications(deps) }),
})
