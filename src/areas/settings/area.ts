import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openSettings } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const settings = area({
  name: 'settings',
  title: 'Settings',
  base: '/settings',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ settings }: Context) => [settings.edit],
  menu: { group: 'Server', path: '/settings', order: 95 },
  open: (deps: Deps): Context => ({ settings: openSettings(deps) }),
})
