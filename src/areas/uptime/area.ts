import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { authdns } from '../authdns/index.ts'
import { notifications } from '../notifications/index.ts'
import { plugins } from '../plugins/index.ts'
import { type Context, openUptime } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createUptime } from './migrations/202611280010-uptime.ts'
import { addStatusPage } from './migrations/202611291740-uptime-status-page.ts'
import { addWindows } from './migrations/202611291552-uptime-windows.ts'
import {
  DailyAvailability,
  History,
  HistoryRow,
  MaintenanceWindow,
  Monitor,
  MonitorDraft,
  Monitors,
  ResponseTimes,
  Sparklines,
  Statistics,
  UptimeStatus,
  WindowDraft,
} from './model.ts'
import { PublicStatus, StatusPage, StatusPageDraft } from './public/model.ts'
import { noticesOfMonitors } from './alerting/notices.ts'
import { condense, pruneOldChecks } from './tidy.ts'

export const uptime = area({
  name: 'uptime',
  title: 'Uptime',
  base: '/uptime',
  guard: superuser,
  ownSwitch: 'uptime',
  errors: 'message-only',
  endpoints,
  schemas: {
    DailyAvailability,
    History,
    HistoryRow,
    MaintenanceWindow,
    Monitor,
    MonitorDraft,
    Monitors,
    PublicStatus,
    ResponseTimes,
    Sparklines,
    Statistics,
    StatusPage,
    StatusPageDraft,
    UptimeStatus,
    WindowDraft,
  },
  jobs: [condense, pruneOldChecks],
  migrations: [createUptime, addWindows, addStatusPage],
  uses: [plugins, notifications, authdns],
  menu: { group: 'Hosting', path: '/uptime', order: 60 },
  contributes: ({ uptime }: Context) => [noticesOfMonitors(uptime)],
  background: ({ uptime }: Context) => uptime.checker.start(),
  open: (deps: Deps): Context => ({ uptime: openUptime(deps) }),
})
