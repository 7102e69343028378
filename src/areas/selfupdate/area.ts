import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { settings } from '../settings/index.ts'
import { type Context, openSelfUpdate } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { selfUpdating } from './self-updating.ts'

export const selfupdate = area({
  name: 'selfupdate',
  title: 'Panel updates',
  base: '/system/selfupdate',
  guard: superuser,
  errors: 'flat',
  endpoints,
  schemas: model,
  jobs: [selfUpdating],
  steps: ({ selfupdate }: Context) => [selfupdate.unpack, selfupdate.switch],
  uses: [settings],
  open: (deps: Deps): Context => ({ selfupdate: openSelfUpdate(deps) }),
})
