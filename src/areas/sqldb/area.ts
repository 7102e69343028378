import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { programs } from '../programs/index.ts'
import { type Context, openSqldb } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { installing } from './install.ts'
import * as model from './model.ts'
import { boundingSlowLog } from './slow-log-bound.ts'

export const sqldb = area({
  name: 'sqldb',
  title: 'SQL server',
  base: '/sqldb',
  bases: ['/settings'],
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing, boundingSlowLog],
  uses: [programs],
  menu: { group: 'Hosting', path: '/sqldb', order: 40 },
  needs: ['mariadb', 'mysqltuner'],
  open: (deps: Deps): Context => ({ sqldb: openSqldb(deps) }),
})
