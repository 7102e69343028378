import type { Static } from 'typebox'
import { type Change, change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { BadRequest } from '../../../core/problem.ts'
import { type Author, fingerprintOf, type RepositoryState } from '../../../host/owner/git/index.ts'
import type { Filemanager } from '../context.ts'
import { repositoryLock } from '../locks.ts'
import type { Files } from '../named-files.ts'
import { pathFields, pathOf, type TextPath } from '../paths.ts'
import type { CommitBody, InitBody, Initialised, RevertBody, Status } from './model.ts'
import { chosenIn, plain } from './paths.ts'
import { type Kept, showNone, showStatus } from './shows.ts'
import type { VcsQueries } from './store.ts'

/** Shows the state of the repository that contains a path. */
export async function readStatus(
  { vcs }: Filemanager,
  { username, owner }: Files,
  {
    path,
    caller,
    signal,
  }: { readonly path: TextPath; readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Status> {
  const state = await owner.git.status(path, authorFor(caller), signal)
  return state === undefined ? showNone(path.path) : showStatus(state, await keptFor(vcs, username, state))
}

/** Puts a folder under version control. */
export function initRepository(
  { steps }: Filemanager,
  { username }: Files,
  body: Static<typeof InitBody>,
): Change<Static<typeof Initialised>> {
  const path = pathOf(body, 'path', '')
  const { branch } = body
  return change({
    summary: `Put ${path.path || 'the home'} of ${username} under version control`,
    locks: [repositoryLock(username, plain(path.path))],
    steps: [step(steps.vcsInit, { username, path, branch })],
    reply: { ...pathFields(path.path), branch },
  })
}

/** Commits everything that changed, some paths, or the staged changes. */
export async function commitChanges(
  { steps }: Filemanager,
  { username, owner }: Files,
  { body, caller }: { readonly body: Static<typeof CommitBody>; readonly caller: Caller },
) {
  const { path, root, what = 'staged' } = await chosenIn(owner, body)
  const { message, author_name: name, author_email: email } = body
  const author = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
  return change({
    summary: `Commit in ${root || 'the home'} of ${username}`,
    locks: [repositoryLock(username, root)],
    steps: [step(steps.vcsCommit, { username, path, message, what, author, caller: authorFor(caller) })],
    reply: ({ results }) => results[0],
  })
}

/** Takes a commit back, or discards changes that are not committed. */
export async function revertChanges(
  { steps }: Filemanager,
  { username, owner }: Files,
  { body, caller }: { readonly body: Static<typeof RevertBody>; readonly caller: Caller },
) {
  const { path, root, what } = await chosenIn(owner, body)
  const { commit } = body
  if ((commit === undefined) === (what === undefined))
    throw BadRequest('commit: exactly one of commit, paths and all is required')
  const args = {
    username,
    path,
    caller: authorFor(caller),
    ...(what !== undefined && { what }),
    ...(commit !== undefined && { commit }),
  }
  return change({
    summary: `${commit === undefined ? 'Discard changes' : `Take ${commit} back`} in ${root || 'the home'} of ${username}`,
    locks: [repositoryLock(username, root)],
    steps: [step(steps.vcsRevert, args)],
    reply: ({ results }) => results[0],
  })
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
