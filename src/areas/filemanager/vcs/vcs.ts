import type { Caller } from '../../../core/caller.ts'
import type { Addresses } from '../../../host/fetch/index.ts'
import {
  type Author,
  fingerprintOf,
  type RemoteUrl,
  type RepositoryState,
} from '../../../host/owner/git/index.ts'
import type { Store } from '../../../store/store.ts'
import type { TextPath } from '../paths.ts'
import type { OwnerOf } from '../steps/files.ts'
import type { Files } from '../named-files.ts'
import type { Status } from './model.ts'
import { remoteChanges } from './remote-changes.ts'
import { type Kept, showNone, showStatus } from './shows.ts'
import { openSides } from './sides.ts'
import { vcsSteps } from './steps.ts'
import { type VcsQueries, vcsQueries } from './store.ts'

interface Parts {
  readonly store: Store
  readonly addresses: Addresses
  readonly ownerOf: OwnerOf
}

/** Opens version control in the homes of hosting users. */
export function openVcs({ store, addresses, ownerOf }: Parts) {
  const queries = vcsQueries(store)
  const sides = openSides({ addresses, queries })
  const steps = vcsSteps(ownerOf)
  return {
    sides,
    steps,
    ownerOf,
    status: async (
      { username, owner }: Files,
      path: TextPath,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<Status> => {
      const state = await owner.git.status(path, authorFor(caller), signal)
      return state === undefined
        ? showNone(path.path)
        : showStatus(state, await keptFor(queries, username, state))
    },
    /** Throws for addresses that the caller may not reach, before a job starts. */
    admit: async (url: RemoteUrl, caller: Caller, signal: AbortSignal): Promise<void> => {
      await addresses.resolveAllowed(url.host, url.port, caller.user, signal)
    },
    changeRemote: remoteChanges({ queries, sides, steps }),
  }
}

/** Default author, if neither the request nor the repository names one. */
export function authorFor({ user: { username, email } }: Caller): Author {
  return { name: username ?? email.split('@')[0] ?? email, email }
}

async function keptFor(
  queries: VcsQueries,
  username: string,
  { root, remotes }: RepositoryState,
): Promise<ReadonlyMap<string, Kept>> {
  const kept = remotes.map(async ({ name, fetchFrom: url }): Promise<[string, Kept]> => {
    if (url === undefined) return [name, { signIn: undefined, fingerprint: null }]
    const keys =
      url.scheme === 'ssh'
        ? await queries.hostKeysOf({ username, host: url.host, port: url.port })
        : undefined
    const signIn = await queries.credentialsOf({ username, repository: root, remote: name }, url)
    return [name, { signIn, fingerprint: keys?.[0] === undefined ? null : fingerprintOf(keys[0]) }]
  })
  return new Map(await Promise.all(kept))
}
