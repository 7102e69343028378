import { isMasked } from '../../../core/secret.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { JobRun } from '../../../core/job.ts'
import type { Addresses, Asker } from '../../../host/fetch/index.ts'
import type { OtherSide, RemoteUrl, SignIn } from '../../../host/owner/git/index.ts'
import type { Credentials } from './model.ts'
import type { RemoteOf, VcsQueries } from './store.ts'
import { tellsProgress } from './progress.ts'

/** What a job that reaches another host is told of it. */
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

/** Makes what git is told of another host: where it is, what it is shown, which key it must show, and what is done with what it says. */
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
      onLine: tellsProgress(run),
      onHostKeys: (keys) => queries.keepHostKeys(server, keys, new Date()),
    }
  }
  return {
    signInOf,
    sideOf,
    /** Keeps what worked, where the caller wants it kept. */
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

/** A masked value keeps what is stored (decision 1.8). */
function merged(
  { login, password, private_key: privateKey }: Credentials,
  stored: SignIn | undefined,
): SignIn {
  const kept = (field: string, given: string | undefined, old: string | undefined) => {
    if (given === undefined || !isMasked(given)) return given
    if (old === undefined)
      throw BadRequest(`credentials.${field}: is masked, and none is kept for this address`)
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
