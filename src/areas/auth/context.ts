import { area } from '../../core/area.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type CodeAttempts, openCodeAttempts } from './code-attempts.ts'
import { openSignInAttempts, type SignInAttempts } from './attempts.ts'
import { type Credentials, openCredentials } from './credentials.ts'
import { type Challenges, openChallenges } from './challenges.ts'
import { type FirstPassword, openFirstPassword } from './first-password.ts'
import { openSocketTokens, type SocketTokens } from './socket-tokens.ts'
import {
  type AddressQueries,
  addressQueries,
  type PasskeyQueries,
  passkeyQueries,
  type SessionQueries,
  sessionQueries,
} from './store.ts'

/** The sessions of the panel users, as the verbs of the area reach them. */
export interface Auth {
  readonly queries: SessionQueries
  readonly addresses: AddressQueries
  readonly passkeys: PasskeyQueries
  /** Of WebAuthn. */
  readonly challenges: Challenges
  readonly users: Users
  readonly attempts: SignInAttempts
  readonly partsOf: Deps['partsOf']
  readonly credentials: Credentials
  readonly socketTokens: SocketTokens
  /** Wrong codes of second factors. */
  readonly codes: CodeAttempts
  readonly store: Pick<Store, 'seal' | 'unseal' | 'sign' | 'transaction' | 'write'>
  readonly trustedNow: Store['trustedNow']
  readonly firstPassword: FirstPassword
  /** How long a code of the second factor counts as fresh; 0 if none is asked for again. */
  readonly freshFactorMs: number
}

/** Binds the area to the store and the users. */
export function openAuth({ store, use, partsOf, host, settings: { configuration, dataDir } }: Deps): Auth {
  const { users: own } = use(users)
  const queries = sessionQueries(store)
  const credentials = openCredentials(store, own, queries)
  const attempts = openSignInAttempts()
  return {
    queries,
    addresses: addressQueries(store),
    passkeys: passkeyQueries(store),
    challenges: openChallenges(),
    users: own,
    attempts,
    partsOf,
    codes: openCodeAttempts(),
    credentials,
    socketTokens: openSocketTokens(credentials),
    store,
    trustedNow: store.trustedNow,
    firstPassword: openFirstPassword(host.files, dataDir),
    freshFactorMs: Number(configuration.running['fresh_factor_minutes'] ?? 0) * 60_000,
  }
}

export interface Context {
  readonly auth: Auth
}

export const { endpoint, job } = area.of<Context>()
