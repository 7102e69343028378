import { area } from '../../core/area.ts'
import { auth, type Auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type OwnCertificate, openCertificate } from './certificate.ts'
import { isValid } from './in-force.ts'
import { openRunningCalls, type RunningCalls } from './running-calls.ts'
import { type McpKeyQueries, mcpKeyQueries } from './store.ts'

/** The keys of agents and the surface that they call, as the verbs of the area reach them. */
export interface Mcp {
  readonly queries: McpKeyQueries
  readonly users: Users
  readonly credentials: Auth['credentials']
  readonly certificate: OwnCertificate
  readonly answerAgent: Deps['answerAgent']
  readonly running: RunningCalls
  /** True if a key may be sent in the query (decision 3.13). */
  readonly takesQueryToken: boolean
}

/** Binds the area to its store, the users, the panel's certificate and the surface for agents. */
export function openMcp({ store, host: { files }, settings, use, answerAgent }: Deps): Mcp {
  const own = { queries: mcpKeyQueries(store), users: use(users).users }
  return {
    ...own,
    credentials: use(auth).auth.credentials,
    certificate: openCertificate(files, settings),
    answerAgent,
    running: openRunningCalls(store, (keyId) => isValid(own, keyId)),
    takesQueryToken: settings.configuration.running['mcp_query_token'] !== 'off',
  }
}

export interface Context {
  readonly mcp: Mcp
}

export const { endpoint } = area.of<Context>()
