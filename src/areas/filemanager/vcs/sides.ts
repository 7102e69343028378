import { isMasked } from '../../../core/secret.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { JobRun } from '../../../core/job.ts'
import type { Addresses, Asker } from '../../../host/fetch/index.ts'
import type { OtherSide, RemoteUrl, SignIn } from '../../../host/owner/git/index.ts'
import type { Credentials } from './model.ts'
import type { RemoteOf, VcsQueries } from './store.ts'
import { reportGitProgress } from './progress.ts'

/** The parameters of a job that connects to another host. */
export interface Reach extends Pick<OtherSide, 'field'> {
  readonly asker: Asker
  readonly credentials?: Credentials | undefined
  readonly remember: boolean
  readonly acceptHostKey?: string | undefined
}

interface Parts {
  readonly addresses: Addresses
  readonly queries: VcsQueries
}

/** Opens the connections to other hosts: pinned addresses, credentials, known host keys, and the receivers of output and new keys. */
export function openSides({ addresses, queries }: Parts) {
  const signInOf = async (
    given: Credentials | undefined,
    of: RemoteOf,
    url: RemoteUrl,
  ): Promise<SignIn | undefined> => {
    const stored = await queries.credentialsOf(of, url)
    return given === undefined ? stored : merged(given, stored)
  }
  const sideOf = async (
    of: RemoteOf,
    url: RemoteUrl,
    reach: Reach,
    run: JobRun<unknown>,
    timeoutMs: number,
  ): Promise<OtherSide> => {
    const server = { username: of.username, host: url.host, port: url.port }
    return {
      url,
      pinned: await addresses.resolveAllowed(url.host, url.port, reach.asker, run.signal),
      signIn: await signInOf(reach.credentials, of, url),
      hostKeys: url.scheme === 'ssh' ? await queries.hostKeysOf(server) : undefined,
      acceptHostKey: reach.acceptHostKey,
      signal: run.signal,
      timeoutMs,
      field: reach.field,
      onLine: reportGitProgress(run),
      onHostKeys: (keys) => queries.keepHostKeys(server, keys, new Date()),
    }
  }
  return {
    signInOf,
    sideOf,
    /** Stores credentials that worked, if the caller requested it. */
    remember: async (
      of: RemoteOf,
      url: RemoteUrl,
      { remember, credentials }: Reach,
      signIn: SignIn | undefined,
    ): Promise<void> => {
      if (remember && credentials !== undefined && signIn !== undefined)
        await queries.keepCredentials(of, url, signIn, new Date())
    },
  }
}

/** Merges given credentials with the stored ones; a masked value keeps the stored one (decision 1.8). */
function merged(
  { login, password, private_key: privateKey }: Credentials,
  stored: SignIn | undefined,
): SignIn {
  const kept = (field: string, given: string | undefined, old: string | undefined) => {
    if (given === undefined || !isMasked(given)) return given
    if (old === undefined)
      throw BadRequest(`credentials.${field}: is masked, but no value is stored for this address`)
    return old
  }
  const chosen = {
    password: kept('password', password, stored?.password),
    privateKey: kept('private_key', privateKey, stored?.privateKey),
  }
  if (chosen.password === undefined && chosen.privateKey === undefined)
    throw BadRequest('credentials: password or private_key is required')
  return {
    login,
    ...(chosen.password !== undefined && { password: chosen.password }),
    ...(chosen.privateKey !== undefined && { privateKey: chosen.privateKey }),
  }
}
