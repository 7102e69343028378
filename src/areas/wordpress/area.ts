import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { oneOf } from '../../core/tool.ts'
import { applications } from '../applications/index.ts'
import type { Deps } from '../deps.ts'
import { sitebackups } from '../sitebackups/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { altering } from './alter.ts'
import { type Context, openWordPresses } from './context.ts'
import * as endpoints from './endpoints.ts'
import { Altered, Hardening, Installation, SignInLink, WordPress } from './model.ts'

export const wordpress = area({
  name: 'wordpress',
  title: 'WordPress',
  base: '/wordpress',
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { Altered, Hardening, Installation, SignInLink, WordPress },
  jobs: [altering],
  uses: [users, websites, applications, sitebackups],
  steps: ({ wordpress: { steps } }: Context) => Object.values(steps),
  needs: [oneOf('nginx', 'apache'), 'bubblewrap'],
  open: (deps: Deps): Context => ({ wordpress: openWordPresses(deps) }),
})
