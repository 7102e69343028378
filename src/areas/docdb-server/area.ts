import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { backingUp, restoring } from './backups.ts'
import { type Context, openDocdbServer } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const docdbServer = area({
  name: 'docdb-server',
  title: 'Document server',
  base: '/docdb-server',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [backingUp, restoring],
  needs: ['mongodb'],
  open: (deps: Deps): Context => ({ docdbServer: openDocdbServer(deps) }),
})
