import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import {
  type RolloverQueries,
  rolloverQueries,
  type WithdrawalQueries,
  withdrawalQueries,
} from './dnssec/store.ts'
import { type ReplicationQueries, replicationQueries } from './replication/store.ts'
import { openPushStep } from './sync/pusher.ts'
import { type SyncQueries, syncQueries } from './sync/store.ts'
import { type RuleQueries, ruleQueries } from './rules/store.ts'
import { isPluginEnabled, plugins } from '../plugins/index.ts'

/** The DNS server of this host, as the verbs of the area reach it. */
export interface Authdns {
  readonly store: Store
  readonly tool: Tools['powerdns']
  readonly mariadb: Tools['mariadb']
  readonly programSteps: Tools['programSteps']
  readonly rules: RuleQueries
  readonly replication: ReplicationQueries
  readonly rollovers: RolloverQueries
  readonly withdrawals: WithdrawalQueries
  readonly sync: SyncQueries
  /** Pushes zones to another panel. */
  readonly pushStep: ReturnType<typeof openPushStep>
  /** The MMDB file with countries; empty for none. */
  readonly geoFile: string
  /** True if certificates come from another authority than Let's Encrypt. */
  readonly hasOtherAuthority: boolean
  /** True while the plugin is enabled. */
  readonly isEnabled: () => boolean
}

/** Binds the area to PowerDNS and the server of its database. */
export function openAuthdns({ store, host, tools, settings, use }: Deps): Authdns {
  const { powerdns, mariadb, programSteps } = tools
  const isEnabled = () => isPluginEnabled(use(plugins).plugins, 'authdns')
  const own = {
    rules: ruleQueries(store),
    replication: replicationQueries(store),
    rollovers: rolloverQueries(store),
    withdrawals: withdrawalQueries(store),
  }
  const sync = syncQueries(store)
  const pushStep = openPushStep({ store, sync, tool: powerdns, fetch: host.fetch })
  const { geoip_file: geoFile = '', acme_directory = '' } = settings.configuration.running
  const hasOtherAuthority = acme_directory !== ''
  return {
    store,
    tool: powerdns,
    mariadb,
    programSteps,
    ...own,
    sync,
    pushStep,
    geoFile,
    hasOtherAuthority,
    isEnabled,
  }
}

export interface Context {
  readonly authdns: Authdns
}

export const { endpoint, work } = area.of<Context>()
