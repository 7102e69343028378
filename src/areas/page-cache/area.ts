import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { type Context, openPageCache } from './context.ts'
import * as endpoints from './endpoints.ts'
import { PageCache, PageCacheEdit, Purge } from './model.ts'

export const pageCache = area({
  name: 'page-cache',
  title: 'Page cache',
  base: '/page-cache',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { PageCache, PageCacheEdit, Purge },
  uses: [users, websites],
  steps: ({ pageCache: { steps } }: Context) => Object.values(steps),
  needs: ['nginx', 'bubblewrap'],
  open: (deps: Deps): Context => ({ pageCache: openPageCache(deps) }),
})
