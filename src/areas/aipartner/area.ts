import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { licence } from '../licence/index.ts'
import { type Context, openPartner } from './context.ts'
import * as endpoints from './endpoints.ts'
import { installing } from './install-gateway.ts'
import { createAipartner } from './migrations/202611281900-aipartner.ts'
import * as model from './model.ts'

export const aipartner = area({
  name: 'aipartner',
  title: 'Partner gateway',
  base: '/aipartner',
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing],
  migrations: [createAipartner],
  steps: ({ aipartner }: Context) => [aipartner.activate, aipartner.setChannel],
  uses: [licence],
  menu: { group: 'Agents', path: '/aipartner', order: 30 },
  open: (deps: Deps): Context => ({ aipartner: openPartner(deps) }),
})
