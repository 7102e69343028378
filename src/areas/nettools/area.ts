import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { system } from '../system/index.ts'
import { users } from '../users/index.ts'
import { type Context, openNettools } from './context.ts'
import * as endpoints from './endpoints.ts'
import { installingHttping } from './install-httping.ts'
import { createNettools } from './migrations/202611280020-nettools.ts'
import {
  CaptureDraft,
  CapturedPacket,
  CaptureStatus,
  HttpingReport,
  PingReport,
  ProbeEvent,
  TraceReport,
} from './model.ts'

export const nettools = area({
  name: 'nettools',
  title: 'Network tools',
  base: '/nettools',
  guard: superuser,
  plugin: 'nettools',
  errors: 'coded',
  endpoints,
  schemas: {
    CaptureDraft,
    CapturedPacket,
    CaptureStatus,
    HttpingReport,
    PingReport,
    ProbeEvent,
    TraceReport,
  },
  jobs: [installingHttping],
  migrations: [createNettools],
  uses: [system, users],
  menu: { group: 'Network', path: '/nettools', order: 50 },
  background: ({ nettools }: Context) => ({ stop: () => nettools.captures.close() }),
  open: (deps: Deps): Context => ({ nettools: openNettools(deps) }),
})
