import { area } from '../../core/area.ts'
import type { StepKind } from '../../core/change.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { licence, type Licence } from '../licence/index.ts'
import { activateStep, type Activated } from './activate-step.ts'
import { builtInSecret } from './built-in-secret.ts'
import { setChannelStep, type SavedBot, type SetChannel } from './channel-step.ts'
import type { PartnerServer } from './partner-api.ts'
import { type PartnerQueries, partnerQueries } from './store.ts'

/** The AI partner, as the verbs of the area reach it. */
export interface Partner {
  readonly store: Store
  readonly queries: PartnerQueries
  readonly server: PartnerServer
  readonly licence: Licence
  readonly machine: Host['machine']
  readonly pm2: Tools['pm2']
  readonly log: Log
  readonly version: string
  readonly activate: StepKind<null, null, Activated>
  readonly setChannel: StepKind<SetChannel, null, SavedBot>
  /** The open chats: the user of each. */
  readonly chats: Set<{ readonly userId: number }>
}

/** Binds the area to the host and the settings. */
export function openPartner({ store, host, tools, settings, log, use }: Deps): Partner {
  const { partner_api_url: url = '', partner_secret: secret = '' } = settings.configuration.running
  const server = { fetch: host.fetch, dial: host.dial, url, secret: secret || builtInSecret }
  const { machine } = host
  const on = { store, server, machine, licence: use(licence).licence, version: settings.version }
  return {
    ...on,
    queries: partnerQueries(store),
    pm2: tools.pm2,
    log,
    activate: activateStep(on),
    setChannel: setChannelStep({ store, server }),
    chats: new Set(),
  }
}

export interface Context {
  readonly aipartner: Partner
}

export const { endpoint, work } = area.of<Context>()
