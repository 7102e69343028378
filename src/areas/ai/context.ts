import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { programLock } from '../../tools/program.ts'
import type { Deps } from '../deps.ts'
import { keyChecks, mcp } from '../mcp/index.ts'
import { users, type Users } from '../users/index.ts'
import { type PanelAddress, panelAddress } from './panel-address.ts'
import { type AssistantQueries, assistantQueries } from './store.ts'

/** The assistant of this host, as the verbs of the area reach it. */
export interface Assistant {
  readonly store: Store
  readonly queries: AssistantQueries
  readonly tool: Tools['openclaw']
  readonly nginx: Tools['nginx']
  readonly programSteps: Tools['programSteps']
  readonly users: Users
  readonly keys: {
    /** True if a key of the panel admits its holder. */
    isValid(id: number | null): Promise<boolean>
  }
  readonly files: Host['files']
  readonly terminals: Host['terminals']
  /** The panel's own certificate, and where the assistant reaches the panel. */
  readonly certificate: { readonly cert: string; readonly key: string }
  readonly panel: PanelAddress
}

/** Its installation, settings, start and stop exclude one another. */
export const assistantLock = programLock('openclaw')

/** Binds the area to the host, the users and the settings of the panel. */
export function openAssistant({ store, host, tools, settings, use }: Deps): Assistant {
  const certificates = `${resolve(settings.dataDir ?? '')}/tls`
  return {
    store,
    queries: assistantQueries(store),
    tool: tools.openclaw,
    nginx: tools.nginx,
    programSteps: tools.programSteps,
    users: use(users).users,
    keys: keyChecks(use(mcp).mcp),
    files: host.files,
    terminals: host.terminals,
    certificate: { cert: `${certificates}/panel.crt`, key: `${certificates}/panel.key` },
    panel: panelAddress(settings.configuration.running),
  }
}

export interface Context {
  readonly ai: Assistant
}

export const { endpoint, work } = area.of<Context>()
