import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { type Context, openSystem } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createMetricSamples } from './migrations/202611230100-metric-samples.ts'
import * as model from './model.ts'
import { noticesOfDisks } from './notices.ts'
import { rewrittenFiles } from './rewrite.ts'

export const system = area({
  name: 'system',
  title: 'System',
  base: '/system',
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: model,
  migrations: [createMetricSamples],
  background: ({ system }: Context) => system.sampler.start(),
  points: [rewrittenFiles],
  uses: [notifications],
  contributes: ({ system }: Context) => [noticesOfDisks(system)],
  open: (deps: Deps): Context => ({ system: openSystem(deps) }),
})
