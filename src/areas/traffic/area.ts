import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { siteParts, websites } from '../websites/index.ts'
import { watchLogs } from './collect.ts'
import { type Context, openTraffic } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createTraffic } from './migrations/202611241100-traffic.ts'
import { Statistics } from './model.ts'
import { websiteTraffic } from './store.ts'

export const traffic = area({
  name: 'traffic',
  title: 'Traffic',
  base: '/traffic',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { Statistics },
  migrations: [createTraffic],
  uses: [websites],
  contributes: () => [
    contribution(siteParts, {
      deleted: async () => ({}), // the rows go with that of the website
      suspended: async () => [],
      moved: async ({ id, username }, next) =>
        next.username === username ? {} : { rows: [websiteTraffic.delete({ website_id: id })] },
    }),
  ],
  background: ({ traffic }: Context) => watchLogs(traffic),
  open: (deps: Deps): Context => ({ traffic: openTraffic(deps) }),
})
