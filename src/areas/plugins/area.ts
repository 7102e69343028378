import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openPlugins } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { createPlugins } from './migrations/202611211220-plugins.ts'

export const plugins = area({
  name: 'plugins',
  title: 'Plugins',
  base: '/plugins',
  guard: permission('plugins_management'),
  errors: 'coded',
  endpoints,
  schemas: model,
  migrations: [createPlugins],
  menu: { group: 'Server', path: '/plugins', order: 90 },
  open: (deps: Deps): Context => ({ plugins: openPlugins(deps) }),
})
