import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { belongings, users } from '../users/index.ts'
import { ownerLimits, websites } from '../websites/index.ts'
import { limitsOfDeleted } from './change.ts'
import { type Context, openLimits } from './context.ts'
import * as endpoints from './endpoints.ts'
import { measureHomes } from './measure.ts'
import { createLimits } from './migrations/202611241110-limits.ts'
import * as model from './model.ts'
import { mayReceive } from './sites.ts'

export const limits = area({
  name: 'limits',
  title: 'Limits',
  base: '/limits',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [measureHomes],
  migrations: [createLimits],
  uses: [users, websites],
  contributes: ({ limits }: Context) => [
    contribution(ownerLimits, (owner) => mayReceive(limits, owner)),
    contribution(belongings, (deletion) => limitsOfDeleted(limits, deletion)),
  ],
  open: (deps: Deps): Context => ({ limits: openLimits(deps) }),
})
