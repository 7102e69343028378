import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openSqlproxy } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { installing, removing } from './install.ts'
import { settingUp } from './keepalived.ts'
import * as model from './model.ts'

export const sqlproxy = area({
  name: 'sqlproxy',
  title: 'SQL proxy',
  base: '/sqlproxy',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing, removing, settingUp],
  menu: { group: 'Network', path: '/sqlproxy', order: 30 },
  needs: ['keepalived'], // the page installs ProxySQL itself, with its passwords
  open: (deps: Deps): Context => ({ sqlproxy: openSqlproxy(deps) }),
})
