import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import { auth, type Auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type ApprovalQueries, approvalQueries } from './approval-store.ts'
import { type Budgets, openBudgets } from './budgets.ts'
import { type OwnCertificate, openCertificate } from './certificate.ts'
import { isValid } from './in-force.ts'
import { openRunningCalls, type RunningCalls } from './running-calls.ts'
import { type McpKeyQueries, mcpKeyQueries } from './store.ts'

/** The keys of agents and the surface that they call, as the verbs of the area reach them. */
export interface Mcp {
  readonly store: Store
  readonly queries: McpKeyQueries
  readonly approvals: ApprovalQueries
  readonly budgets: Budgets
  readonly users: Users
  readonly credentials: Auth['credentials']
  readonly certificate: OwnCertificate
  readonly answerAgent: Deps['answerAgent']
  readonly callForAgent: Deps['callForAgent']
  readonly running: RunningCalls
  /** True if a key may be sent in the query (decision 3.13). */
  readonly takesQueryToken: boolean
}

/** Binds the area to its store, the users, the panel's certificate and the surface for agents. */
export function openMcp(deps: Deps): Mcp {
  const { store, host, settings, use, answerAgent, callForAgent } = deps
  const own = { queries: mcpKeyQueries(store), users: use(users).users }
  return {
    ...own,
    store,
    approvals: approvalQueries(store),
    budgets: openBudgets(own.queries),
    credentials: use(auth).auth.credentials,
    certificate: openCertificate(host.files, settings),
    answerAgent,
    callForAgent,
    running: openRunningCalls(store, (keyId) => isValid(own, keyId)),
    takesQueryToken: settings.configuration.running['mcp_query_token'] !== 'off',
  }
}

export interface Context {
  readonly mcp: Mcp
}

export const { endpoint, job } = area.of<Context>()
