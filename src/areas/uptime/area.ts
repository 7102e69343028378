import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { plugins } from '../plugins/index.ts'
import { type Context, openUptime } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createUptime } from './migrations/202611280010-uptime.ts'
import { History, HistoryRow, Monitor, MonitorDraft, Monitors, Statistics, UptimeStatus } from './model.ts'
import { noticesOfMonitors } from './notices.ts'
import { pruneOldChecks } from './tidy.ts'

export const uptime = area({
  name: 'uptime',
  title: 'Uptime',
  base: '/uptime',
  guard: superuser,
  ownSwitch: 'uptime',
  errors: 'message-only',
  endpoints,
  schemas: { History, HistoryRow, Monitor, MonitorDraft, Monitors, Statistics, UptimeStatus },
  jobs: [pruneOldChecks],
  migrations: [createUptime],
  uses: [plugins, notifications],
  menu: { group: 'Hosting', path: '/uptime', order: 60 },
  contributes: ({ uptime }: Context) => [noticesOfMonitors(uptime)],
  background: ({ uptime }: Context) => uptime.checker.start(),
  open: (deps: Deps): Context => ({ uptime: openUptime(deps) }),
})
