import { isMasked } from '../../../core/secret.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { JobRun } from '../../../core/job.ts'
import type { Asker } from '../../../host/fetch/index.ts'
import type { OtherSide, RemoteUrl, SignIn } from '../../../host/owner/git/index.ts'
import type { Filemanager } from '../context.ts'
import type { Credentials } from './model.ts'
import type { RemoteOf } from './store.ts'
import { reportGitProgress } from './progress.ts'

/** The parameters of a job that connects to another host. */
export interface Reach extends Pick<OtherSide, 'field'> {
  readonly asker: Asker
  readonly credentials?: Credentials | undefined
  readonly remember: boolean
  readonly acceptHostKey?: string | undefined
}

/** A remote and the address that it has. */
interface RemoteAt {
  readonly of: RemoteOf
  readonly url: RemoteUrl
}

/** Returns the credentials for a remote: the given ones, with the stored values where they are masked, or the stored ones. */
export async function signInOf(
  { vcs }: Filemanager,
  given: Credentials | undefined,
  { of, url }: RemoteAt,
): Promise<SignIn | undefined> {
  const stored = await vcs.credentialsOf(of, url)
  return given === undefined ? stored : merged(given, stored)
}

/** Opens the connection to another host: pinned addresses, credentials, known host keys, and the receivers of output and new keys. */
export async function sideOf(
  on: Filemanager,
  { of, url }: RemoteAt,
  {
    reach,
    run,
    timeoutMs,
  }: { readonly reach: Reach; readonly run: JobRun<unknown>; readonly timeoutMs: number },
): Promise<OtherSide> {
  const server = { username: of.username, host: url.host, port: url.port }
  return {
    url,
    pinned: await on.addresses.resolveAllowed(url.host, url.port, reach.asker, run.signal),
    signIn: await signInOf(on, reach.credentials, { of, url }),
    hostKeys: url.scheme === 'ssh' ? await on.vcs.hostKeysOf(server) : undefined,
    acceptHostKey: reach.acceptHostKey,
    signal: run.signal,
    timeoutMs,
    field: reach.field,
    onLine: reportGitProgress(run),
    onHostKeys: (keys) => on.vcs.keepHostKeys(server, keys, new Date()),
  }
}

/** Stores credentials that worked, if the caller requested it. */
export async function rememberSignIn(
  { vcs }: Filemanager,
  { of, url }: RemoteAt,
  { reach, signIn }: { readonly reach: Reach; readonly signIn: SignIn | undefined },
): Promise<void> {
  if (reach.remember && reach.credentials !== undefined && signIn !== undefined)
    await vcs.keepCredentials(of, url, signIn, new Date())
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
