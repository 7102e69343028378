import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { machine } from '../machine/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openCrontabs } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createCrontabs } from './migrations/202611231760-crontabs.ts'
import * as model from './model.ts'
import { crontabsOfWebsites } from './parts.ts'
import { runningLine } from './run-line.ts'

export const crontab = area({
  name: 'crontab',
  title: 'Crontabs',
  base: '/crontab',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { Crontab: model.Crontab, CrontabDraft: model.CrontabDraft },
  jobs: [runningLine],
  migrations: [createCrontabs],
  uses: [websites, users, machine],
  contributes: ({ crontabs }: Context) => [crontabsOfWebsites(crontabs)],
  open: (deps: Deps): Context => ({ crontabs: openCrontabs(deps) }),
})
