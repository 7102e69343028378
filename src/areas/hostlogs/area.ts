import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openHostLogs } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { createHostLogs } from './migrations/202611281630-hostlogs.ts'
import * as model from './model.ts'

export const hostlogs = area({
  name: 'hostlogs',
  title: 'Remote logging',
  base: '/settings/remote-logging',
  bases: ['/settings/ssh-audit'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  needs: ['log-forwarding', 'auditd', 'openssh'],
  migrations: [createHostLogs],
  open: (deps: Deps): Context => ({ hostlogs: openHostLogs(deps) }),
})
