import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { authdns } from '../authdns/index.ts'
import { plugins } from '../plugins/index.ts'
import { type Checker, openChecker } from './checker.ts'
import type { Uptime } from './parts.ts'
import { uptimeQueries } from './store.ts'

/** The monitors, as the verbs of the area reach them. */
export interface Monitoring extends Uptime {
  readonly checker: Checker
}

/** Binds the area to the store, the network and the ways to send alerts. */
export function openUptime({ store, host, tools, settings, log, use }: Deps): Monitoring {
  const { smtp_url: smtpUrl = '', mail_from: sender = '' } = settings.configuration.running
  const uptime: Uptime = {
    store,
    queries: uptimeQueries(store),
    plugins: use(plugins).plugins,
    addresses: host.addresses,
    mail: host.mail,
    fetch: host.fetch,
    dns: use(authdns).authdns,
    ping: tools.ping.ping,
    assistant: tools.openclaw,
    hostname: () => host.machine.kernel().hostname,
    smtpUrl,
    sender,
    log,
  }
  return { ...uptime, checker: openChecker(uptime) }
}

export interface Context {
  readonly uptime: Monitoring
}

export const { endpoint, job } = area.of<Context>()
