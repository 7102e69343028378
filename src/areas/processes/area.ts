import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openProcessesArea } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const processes = area({
  name: 'processes',
  title: 'Processes',
  base: '/processes',
  bases: ['/system'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ processes }: Context) => [processes.kill],
  menu: { group: 'Server', path: '/processes', order: 20 },
  open: (deps: Deps): Context => ({ processes: openProcessesArea(deps) }),
})
