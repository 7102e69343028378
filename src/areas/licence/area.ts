import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { settings } from '../settings/index.ts'
import { type Context, openLicence } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const licence = area({
  name: 'licence',
  title: 'Licence',
  base: '/licence',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ licence }: Context) => [licence.activate],
  uses: [settings],
  open: (deps: Deps): Context => ({ licence: openLicence(deps) }),
})
