import { isMasked } from '../../../core/secret.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { StepRun } from '../../../core/change.ts'
import type { Addresses } from '../../../host/fetch/index.ts'
import type { OtherSide, RemoteUrl, SignIn } from '../../../host/owner/git/index.ts'
import type { Credentials } from './model.ts'
import type { RemoteOf, VcsQueries } from './store.ts'
import { reportGitProgress } from './progress.ts'

/** A remote and the address that it has. */
export interface RemoteAt {
  readonly of: RemoteOf
  readonly url: RemoteUrl
}

/** Returns the credentials for a remote: the given ones, with the stored values where they are masked, or the stored ones. */
export async function signInOf(
  { vcs }: { readonly vcs: Pick<VcsQueries, 'credentialsOf'> },
  given: Credentials | undefined,
  { of, url }: RemoteAt,
): Promise<SignIn | undefined> {
  const stored = await vcs.credentialsOf(of, url)
  return given === undefined ? stored : merged(given, stored)
}

/** The conditions of one transfer with another host. */
interface Connecting extends Pick<OtherSide, 'url' | 'signIn' | 'acceptHostKey' | 'field' | 'timeoutMs'> {
  readonly username: string
  readonly isAdmin: boolean
}

/** The parts that connect to another host. */
export interface Reach {
  readonly addresses: Addresses
  readonly vcs: Pick<VcsQueries, 'hostKeysOf' | 'keepHostKeys'>
}

/** Opens the connection to another host: a pinned address, known host keys, and the receivers of output and new keys. */
export async function sideOf(
  { addresses, vcs }: Reach,
  { username, isAdmin, url, ...conditions }: Connecting,
  run: Pick<StepRun<unknown>, 'signal' | 'progress' | 'output'>,
): Promise<OtherSide> {
  const server = { username, host: url.host, port: url.port }
  return {
    ...conditions,
    url,
    pinned: await addresses.resolveAllowed(url.host, url.port, { isAdmin }, run.signal),
    hostKeys: url.scheme === 'ssh' ? await vcs.hostKeysOf(server) : undefined,
    signal: run.signal,
    onLine: reportGitProgress(run),
    onHostKeys: (keys) => vcs.keepHostKeys(server, keys, new Date()),
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
