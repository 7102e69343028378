import { type Change, change, type RowWrite, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { success } from '../../../core/reply.ts'
import { gitProblems, parseRemoteUrl, type RemoteUrl } from '../../../host/owner/git/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import { refuseMismatch } from './mismatch.ts'
import type { Credentials } from './model.ts'
import type { openSides } from './sides.ts'
import type { vcsSteps } from './steps.ts'
import type { RemoteOf, VcsQueries } from './store.ts'
import { repositoryLock } from '../locks.ts'

/** The parameters of a call on a remote. */
export interface RemoteWish {
  readonly action:
    | 'add'
    | 'set_url'
    | 'remove'
    | 'set_credentials'
    | 'forget_credentials'
    | 'forget_fingerprint'
  readonly name: string
  readonly url?: string
  readonly credentials?: Credentials
}

interface Parts {
  readonly queries: VcsQueries
  readonly sides: ReturnType<typeof openSides>
  readonly steps: ReturnType<typeof vcsSteps>
}

const titles = {
  add: 'Add',
  set_url: 'Change',
  remove: 'Remove',
  set_credentials: 'Keep credentials for',
  forget_credentials: 'Forget the credentials for',
  forget_fingerprint: 'Forget the ssh key of the server of',
} as const
const acts: Readonly<Record<RemoteWish['action'], 'add' | 'set-url' | 'remove' | undefined>> = {
  ...{ add: 'add', set_url: 'set-url', remove: 'remove' },
  ...{ set_credentials: undefined, forget_credentials: undefined, forget_fingerprint: undefined },
}

/** Plans the changes of a remote in the repository, or of its stored credentials. */
export function remoteChanges(parts: Parts) {
  return async (
    { username, owner }: Files,
    path: TextPath,
    wish: RemoteWish,
    now: Date,
  ): Promise<Change<typeof success>> => {
    const { action, name } = wish
    const repository = await owner.git.rootOf(path)
    const known = await owner.git.urlOf(path, name)
    if (known === undefined && action !== 'add')
      throw gitProblems.NoSuchRemote(`name: ${name}: the repository has no such remote`)
    if (known !== undefined && action === 'add')
      throw gitProblems.RemoteTaken(`name: ${name}: the repository already has a remote of this name`)
    const given = action === 'add' || action === 'set_url' ? required(wish.url) : undefined
    const url =
      action === 'remove'
        ? undefined
        : parseRemoteUrl(given ?? known ?? '', given === undefined ? `name: ${name}` : 'url')
    const act = acts[action]
    return change({
      summary: `${titles[action]} the remote ${name} of ${repository || 'the home'} of ${username}`,
      locks: [repositoryLock(username, repository)],
      steps: act
        ? [
            step(parts.steps.vcsRemote, {
              username,
              path,
              name,
              action: act,
              ...(given !== undefined && { url: given }),
            }),
          ]
        : [],
      rows: await rowsOf(parts, { username, repository, remote: name }, url, wish, now),
      reply: success,
    })
  }
}

async function rowsOf(
  { queries, sides }: Parts,
  of: RemoteOf,
  url: RemoteUrl | undefined,
  wish: RemoteWish,
  now: Date,
): Promise<readonly RowWrite[]> {
  const { action, credentials } = wish
  if (action === 'forget_fingerprint' && url !== undefined)
    return [queries.forgetHostKeys({ username: of.username, host: url.host, port: url.port })]
  if (action === 'forget_credentials' || url === undefined) return [queries.forgetCredentials(of)]
  if (credentials === undefined && action === 'set_credentials') throw BadRequest('credentials: is required')
  if (credentials === undefined) return []
  refuseMismatch(url, credentials)
  const signIn = await sides.signInOf(credentials, of, url)
  return signIn === undefined ? [] : queries.credentialRows(of, url, signIn, now)
}

function required(url: string | undefined): string {
  if (url === undefined) throw BadRequest('url: is required')
  return url
}
