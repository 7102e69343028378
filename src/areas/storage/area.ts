import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openStorage } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const storage = area({
  name: 'storage',
  title: 'Storage',
  base: '/system/lvm',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  needs: ['lvm'],
  open: (deps: Deps): Context => ({ storage: openStorage(deps) }),
})
