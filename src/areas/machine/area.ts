import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openMachineArea } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const machine = area({
  name: 'machine',
  title: 'Host',
  base: '/machine',
  bases: ['/settings'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ machine }: Context) => [machine.setName, machine.setZone],
  open: (deps: Deps): Context => ({ machine: openMachineArea(deps) }),
})
