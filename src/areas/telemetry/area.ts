import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { licence } from '../licence/index.ts'
import { settings } from '../settings/index.ts'
import { system } from '../system/index.ts'
import { type Context, openTelemetry } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const telemetry = area({
  name: 'telemetry',
  title: 'Telemetry',
  base: '/telemetry',
  guard: superuser,
  errors: 'flat',
  endpoints,
  schemas: model,
  uses: [licence, settings, system],
  open: (deps: Deps): Context => ({ telemetry: openTelemetry(deps) }),
})
