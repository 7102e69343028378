import type { Static } from 'typebox'
import { type Change, change, type RowWrite, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { success } from '../../../core/reply.ts'
import { gitProblems, parseRemoteUrl, type RemoteUrl } from '../../../host/owner/git/index.ts'
import type { Filemanager } from '../context.ts'
import { repositoryLock } from '../locks.ts'
import type { Files } from '../named-files.ts'
import { pathOf } from '../paths.ts'
import { refuseMismatch } from './mismatch.ts'
import type { RemoteBody } from './model.ts'
import { signInOf } from './sides.ts'
import type { RemoteOf } from './store.ts'

type RemoteWish = Static<typeof RemoteBody>

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

/** Changes a remote of a repository, or what is stored for it. */
export async function changeRemote(
  on: Filemanager,
  { username, owner }: Files,
  { body, now }: { readonly body: RemoteWish; readonly now: Date },
): Promise<Change<typeof success>> {
  const path = pathOf(body, 'path', '')
  const { action, name } = body
  const repository = await owner.git.rootOf(path)
  const known = await owner.git.urlOf(path, name)
  if (known === undefined && action !== 'add')
    throw gitProblems.NoSuchRemote(`name: ${name}: the repository has no such remote`)
  if (known !== undefined && action === 'add')
    throw gitProblems.RemoteTaken(`name: ${name}: the repository already has a remote of this name`)
  const given = action === 'add' || action === 'set_url' ? required(body.url) : undefined
  const url =
    action === 'remove'
      ? undefined
      : parseRemoteUrl(given ?? known ?? '', given === undefined ? `name: ${name}` : 'url')
  const act = acts[action]
  const args = { username, path, name, ...(given !== undefined && { url: given }) }
  return change({
    summary: `${titles[action]} the remote ${name} of ${repository || 'the home'} of ${username}`,
    locks: [repositoryLock(username, repository)],
    steps: act ? [step(on.steps.vcsRemote, { ...args, action: act })] : [],
    rows: await rowsOf(on, { username, repository, remote: name }, { url, wish: body, now }),
    reply: success,
  })
}

interface Wanted {
  readonly url: RemoteUrl | undefined
  readonly wish: RemoteWish
  readonly now: Date
}

async function rowsOf(
  on: Filemanager,
  of: RemoteOf,
  { url, wish, now }: Wanted,
): Promise<readonly RowWrite[]> {
  const { action, credentials } = wish
  if (action === 'forget_fingerprint' && url !== undefined)
    return [on.vcs.forgetHostKeys({ username: of.username, host: url.host, port: url.port })]
  if (action === 'forget_credentials' || url === undefined) return [on.vcs.forgetCredentials(of)]
  if (credentials === undefined && action === 'set_credentials') throw BadRequest('credentials: is required')
  if (credentials === undefined) return []
  refuseMismatch(url, credentials)
  const signIn = await signInOf(on, credentials, { of, url })
  return signIn === undefined ? [] : on.vcs.credentialRows(of, url, signIn, now)
}

function required(url: string | undefined): string {
  if (url === undefined) throw BadRequest('url: is required')
  return url
}
