import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Users, UsersContext } from '../users/index.ts'
import { openSignInAttempts } from './attempts.ts'
import { openCredentials } from './credentials.ts'
import { sessionVerbs } from './sessions.ts'
import { sessionQueries } from './store.ts'

/** The area bound to the store and the users. */
export function openAuth(store: Store, users: Users) {
  const queries = sessionQueries(store)
  return {
    ...queries,
    trustedNow: store.trustedNow,
    ...sessionVerbs(queries, users, openSignInAttempts()),
    credentials: openCredentials(store, users, queries),
  }
}

export interface Context extends UsersContext {
  readonly auth: ReturnType<typeof openAuth>
}

export const { endpoint, job } = area.of<Context>()
