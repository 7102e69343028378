import type { Log } from '../../core/endpoint.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Authdns } from '../authdns/index.ts'
import type { Plugins } from '../plugins/index.ts'
import type { UptimeQueries } from './store.ts'

/** What the checks of monitors use. */
export interface Uptime {
  readonly store: Store
  readonly queries: UptimeQueries
  readonly plugins: Plugins
  readonly addresses: Host['addresses']
  readonly mail: Host['mail']
  readonly fetch: Host['fetch']
  /** The zones whose records monitors switch. */
  readonly dns: Authdns
  readonly ping: Tools['ping']['ping']
  readonly assistant: Pick<Tools['openclaw'], 'openChat'>
  readonly hostname: () => string
  readonly smtpUrl: string
  /** The sender of e-mail; empty for one at the name of the host. */
  readonly sender: string
  readonly log: Log
}

/** An alert that is to be sent, with its monitor. */
export type Alert = Awaited<ReturnType<UptimeQueries['pendingAlerts']>>[number]

/** What a check found. */
export interface Outcome {
  /** `error` if the monitor cannot be checked as it is configured. */
  readonly result: 'ok' | 'failed' | 'error'
  readonly status: number
  readonly responseMs: number
  /** Why it failed, or what is wrong with its success; empty if nothing is. */
  readonly error: string
}
