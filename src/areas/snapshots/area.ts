import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { websites } from '../websites/index.ts'
import { type Context, openSnapshots } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const snapshots = area({
  name: 'snapshots',
  title: 'Snapshots',
  base: '/system/snapshots',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ snapshots: { take, drop, restoreFiles } }: Context) => [take, drop, restoreFiles],
  uses: [websites],
  open: (deps: Deps): Context => ({ snapshots: openSnapshots(deps) }),
})
