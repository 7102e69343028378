import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { openSignInAttempts, type SignInAttempts } from './attempts.ts'
import { type Credentials, openCredentials } from './credentials.ts'
import { openSocketTokens, type SocketTokens } from './socket-tokens.ts'
import { type SessionQueries, sessionQueries } from './store.ts'

/** The sessions of the panel users, as the verbs of the area reach them. */
export interface Auth {
  readonly queries: SessionQueries
  readonly users: Users
  readonly attempts: SignInAttempts
  readonly credentials: Credentials
  readonly socketTokens: SocketTokens
  readonly trustedNow: Store['trustedNow']
}

/** Binds the area to the store and the users. */
export function openAuth({ store, use }: Deps): Auth {
  const { users: own } = use(users)
  const queries = sessionQueries(store)
  const credentials = openCredentials(store, own, queries)
  const attempts = openSignInAttempts()
  const socketTokens = openSocketTokens(credentials)
  return { queries, users: own, attempts, credentials, socketTokens, trustedNow: store.trustedNow }
}

export interface Context {
  readonly auth: Auth
}

export const { endpoint, job } = area.of<Context>()
