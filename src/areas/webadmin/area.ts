import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { oneOf } from '../../core/tool.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { settings } from '../settings/index.ts'
import { servedSites, webserver } from '../webserver/index.ts'
import { type Context, openWebadmin } from './context.ts'
import * as endpoints from './endpoints.ts'
import { installing } from './install.ts'
import { createWebadmin } from './migrations/202611280010-webadmin.ts'
import * as model from './model.ts'
import { databasePasswords } from './passwords.ts'
import { portsOfWebadmin } from './ports.ts'
import { servedWebadmin } from './serving.ts'
import { tidying } from './sign-in.ts'
import { updating } from './update.ts'

export const webadmin = area({
  name: 'webadmin',
  title: 'Web admin',
  base: '/sqldb/webadmin',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing, updating, tidying],
  migrations: [createWebadmin],
  points: [databasePasswords],
  uses: [firewall, settings, webserver],
  contributes: ({ webadmin }: Context) => [
    contribution(openPorts, () => portsOfWebadmin(webadmin)),
    contribution(servedSites, () => servedWebadmin(webadmin)),
  ],
  needs: [oneOf('nginx', 'apache')],
  open: (deps: Deps): Context => ({ webadmin: openWebadmin(deps) }),
})
