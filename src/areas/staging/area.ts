import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { oneOf } from '../../core/tool.ts'
import { applications } from '../applications/index.ts'
import { databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { sitebackups } from '../sitebackups/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { clearing } from './clear-up.ts'
import { type Context, openStaging } from './context.ts'
import { staging as creating } from './create.ts'
import * as endpoints from './endpoints.ts'
import { createStaging } from './migrations/202611292255-staging.ts'
import { PushDraft, Pushed, StagingCopy, StagingDraft, WebsiteStaging } from './model.ts'
import { copiesOfWebsites } from './parts.ts'
import { pushing } from './push.ts'

export const staging = area({
  name: 'staging',
  title: 'Staging',
  base: '/staging',
  bases: ['/websites'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { StagingCopy, StagingDraft, WebsiteStaging, PushDraft, Pushed },
  jobs: [creating, pushing, clearing],
  migrations: [createStaging],
  uses: [users, websites, databases, applications, sitebackups],
  contributes: ({ staging }: Context) => [copiesOfWebsites(staging)],
  steps: ({ staging: { steps } }: Context) => Object.values(steps),
  needs: [oneOf('nginx', 'apache'), 'bubblewrap'],
  open: (deps: Deps): Context => ({ staging: openStaging(deps) }),
})
