import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openMail } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const mail = area({
  name: 'mail',
  title: 'Mail relay',
  base: '/settings/mail',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  needs: ['exim'],
  open: (deps: Deps): Context => ({ mail: openMail(deps) }),
})
