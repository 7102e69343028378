import { area } from '../../core/area.ts'
import type { WebServer, WebServerName } from '../../tools/web-server.ts'
import { isServiceActive, isServiceMasked, webServices } from '../../tools/web-services.ts'
import type { Deps } from '../deps.ts'
import { webServerQueries } from './store.ts'
import { switchStep } from './switch-step.ts'

/** The web servers of the host, as the verbs of the area reach them. */
export interface WebServers {
  readonly queries: ReturnType<typeof webServerQueries>
  readonly servers: Readonly<Record<WebServerName, WebServer>>
  readonly partsOf: Deps['partsOf']
  /** The web server that serves the websites. */
  serving(): Promise<WebServer>
  /** True if the service of a web server is masked. */
  isMasked(name: WebServerName): Promise<boolean>
  /** True if the service of a web server runs. */
  isRunning(name: WebServerName): Promise<boolean>
  readonly switchServer: ReturnType<typeof switchStep>
}

/** Binds the area to the store and the web servers. */
export function openWebServers({ store, host, tools: { nginx, apache }, partsOf }: Deps): WebServers {
  const queries = webServerQueries(store)
  const servers = { nginx, apache }
  return {
    queries,
    servers,
    partsOf,
    serving: async () => servers[(await queries.chosen()).active],
    isMasked: (name) => isServiceMasked(host, webServices[name]),
    isRunning: (name) => isServiceActive(host.services, webServices[name]),
    switchServer: switchStep({
      services: host.services,
      reconcile: host.reconcile,
      servers,
      visit: apache.visit,
    }),
  }
}

export interface Context {
  readonly webserver: WebServers
}

export const { endpoint, work } = area.of<Context>()
