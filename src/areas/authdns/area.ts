import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openAuthdns } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { installing } from './install.ts'
import * as model from './model.ts'

export const authdns = area({
  name: 'authdns',
  title: 'DNS',
  base: '/authdns',
  guard: superuser,
  plugin: 'authdns',
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing],
  menu: { group: 'Hosting', path: '/dns', order: 55 },
  needs: ['powerdns'],
  open: (deps: Deps): Context => ({ authdns: openAuthdns(deps) }),
})
