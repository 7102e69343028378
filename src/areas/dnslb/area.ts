import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { programs } from '../programs/index.ts'
import { type Context, openDnslb } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { createPeers } from './migrations/202611281330-dnslb-peers.ts'
import * as model from './model.ts'

export const dnslb = area({
  name: 'dnslb',
  title: 'DNS balancer',
  base: '/dnslb',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  steps: ({ dnslb }: Context) => [dnslb.pushStep],
  migrations: [createPeers],
  uses: [programs],
  menu: { group: 'Network', path: '/dnslb', order: 20 },
  needs: ['dnsdist'],
  open: (deps: Deps): Context => ({ dnslb: openDnslb(deps) }),
})
