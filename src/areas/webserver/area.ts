import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { oneOf } from '../../core/tool.ts'
import type { Deps } from '../deps.ts'
import { drivenServices, services, startObstacles } from '../services/index.ts'
import { system } from '../system/index.ts'
import { type Context, openWebServers } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createWebServer } from './migrations/202611281800-web-server.ts'
import * as model from './model.ts'
import { findRunningRival } from './rival.ts'
import { servedSites } from './served-sites.ts'
import { switching } from './switch.ts'

export const webserver = area({
  name: 'webserver',
  title: 'Web server',
  base: '/settings/webserver',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: { WebServers: model.WebServers, WebServerSwitched: model.WebServerSwitched },
  jobs: [switching],
  migrations: [createWebServer],
  uses: [services, system],
  points: [servedSites],
  contributes: ({ webserver }: Context) => [
    contribution(drivenServices, { service: 'apache2', title: 'Websites', path: '/websites' }),
    contribution(startObstacles, (service) => findRunningRival(webserver, service)),
  ],
  steps: ({ webserver }: Context) => [webserver.switchServer],
  needs: [oneOf('nginx', 'apache')],
  open: (deps: Deps): Context => ({ webserver: openWebServers(deps) }),
})
