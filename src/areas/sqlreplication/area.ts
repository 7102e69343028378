import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { sqldb } from '../sqldb/index.ts'
import { type Context, openSqlReplication } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { createSqlReplication } from './migrations/202611281500-sql-replication.ts'
import * as model from './model.ts'
import { beginPulse } from './pulse.ts'
import { synchronising } from './sync.ts'

export const sqlreplication = area({
  name: 'sqlreplication',
  title: 'Replication of the SQL server',
  base: '/sqldb/replication',
  bases: ['/sqldb', '/settings'],
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [synchronising],
  steps: ({ sqlreplication: { steps } }: Context) => Object.values(steps),
  migrations: [createSqlReplication],
  uses: [sqldb],
  needs: ['mariadb'],
  background: ({ sqlreplication: on }: Context) => beginPulse(on),
  open: (deps: Deps): Context => ({ sqlreplication: openSqlReplication(deps) }),
})
