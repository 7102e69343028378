import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { listOf } from '../settings/index.ts'
import { type WebServers, webserver } from '../webserver/index.ts'
import { type WebadminQueries, webadminQueries } from './store.ts'

/** The web admin of the SQL server, as the verbs of the area reach it. */
export interface WebadminArea {
  readonly store: Store
  readonly queries: WebadminQueries
  readonly tool: Tools['phpmyadmin']
  readonly serving: WebServers['serving']
  readonly php: Tools['phpPools']
  readonly files: Host['files']
  readonly partsOf: Deps['partsOf']
  /** Base addresses from which it is downloaded. */
  readonly bases: readonly string[]
  readonly port: number
  /** The panel's own certificate, which every panel has. */
  readonly certificate: { readonly cert: string; readonly key: string }
}

/** Binds the area to the host and the settings. */
export function openWebadmin({ store, host, tools, settings, use, partsOf }: Deps): WebadminArea {
  const { webadmin_url: url = '', webadmin_port: port = '' } = settings.configuration.running
  const certificates = `${resolve(settings.dataDir ?? '')}/tls`
  return {
    store,
    queries: webadminQueries(store),
    tool: tools.phpmyadmin,
    serving: use(webserver).webserver.serving,
    php: tools.phpPools,
    files: host.files,
    partsOf,
    bases: listOf(url),
    port: Number(port),
    certificate: { cert: `${certificates}/panel.crt`, key: `${certificates}/panel.key` },
  }
}

export interface Context {
  readonly webadmin: WebadminArea
}

export const { endpoint, work, job } = area.of<Context>()
