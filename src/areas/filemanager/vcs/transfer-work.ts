import Type, { type TSchema } from 'typebox'
import { change, type RowWrite, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { BadRequest } from '../../../core/problem.ts'
import { from } from '../../../core/returned.ts'
import { Prose, Text } from '../../../core/schemas.ts'
import { parseRemoteUrl, type SignIn } from '../../../host/owner/git/index.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import { type Filemanager, work } from '../context.ts'
import { vcsKinds } from '../job-kinds.ts'
import { repositoryLock } from '../locks.ts'
import { filesOfCaller, type Files } from '../named-files.ts'
import { StoredPath, type TextPath } from '../paths.ts'
import { found } from '../steps/files.ts'
import { refuseMismatch } from './mismatch.ts'
import { CloneBody, type Credentials, PullBody, PushBody } from './model.ts'
import { plain } from './paths.ts'
import { type RemoteAt, signInOf } from './sides.ts'
import { addressOf } from './store.ts'
import { cloneMs, otherMs } from './transfer-steps.ts'
import { authorFor } from './vcs.ts'

const inputOf = <Body extends TSchema>(wish: Body) =>
  Type.Object({ username: Text(64), path: StoredPath, wish })

const CommitOrNone = Type.Union([Text(64), Type.Null()])

/** Clones a repository into a new or empty folder; nothing stands there before all of it was fetched. */
export const cloning = work({
  kind: vcsKinds.clone,
  lane: 'network',
  input: inputOf(CloneBody),
  reply: Type.Object({ path: Prose(4096), commit: CommitOrNone }),
  timeoutMs: cloneMs,
  attempts: 1,
  resumes: true,
  decide: async ({ input: { username, path, wish }, filemanager, ...asked }) => {
    const files = await filesOfCaller(filemanager, username, asked.caller)
    const url = parseRemoteUrl(wish.url)
    const named = { username, repository: plain(path.path), remote: 'origin' }
    const signIn = await admit(filemanager, { of: named, url }, { ...asked, ...files, wish })
    await refuseTaken(files, path)
    const { branch, depth, accept_fingerprint: acceptHostKey } = wish
    const { isAdmin } = files.caller.user
    const args = { username, path, url: wish.url, branch, depth, isAdmin, acceptHostKey }
    const clone = step(filemanager.steps.vcsClone, args, { signIn })
    const of = { ...named, repository: from(clone, 'repository') }
    return change({
      summary: `Clone ${url.host} into ${path.path} of ${username}`,
      locks: [repositoryLock(username, named.repository)],
      steps: [clone],
      rows: rememberedRows(filemanager, { of, url }, { ...asked, wish, signIn }),
      reply: { path: path.path.toWellFormed(), commit: from(clone, 'commit') },
    })
  },
})

/** Pulls from a remote. */
export const pulling = work({
  kind: vcsKinds.pull,
  lane: 'network',
  input: inputOf(PullBody),
  reply: Type.Object({ before: CommitOrNone, commit: CommitOrNone }),
  timeoutMs: otherMs,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { username, path, wish }, filemanager, ...asked }) => {
    const { owner, caller } = await filesOfCaller(filemanager, username, asked.caller)
    const { remote, branch, url, root } = await owner.git.destination(path, 'fetch', wish)
    const at = { of: { username, repository: root, remote }, url }
    const signIn = await admit(filemanager, at, { ...asked, caller, wish })
    const args = {
      ...remoteArgs(at, { caller, path, branch, wish }),
      merge: wish.strategy === 'merge',
      caller: authorFor(caller),
    }
    const pull = step(filemanager.steps.vcsPull, args, { signIn })
    return change({
      summary: `Pull ${remote}/${branch} into ${root || 'the home'} of ${username}`,
      locks: [repositoryLock(username, root)],
      steps: [pull],
      rows: rememberedRows(filemanager, at, { ...asked, wish, signIn }),
      reply: { before: from(pull, 'before'), commit: from(pull, 'commit') },
    })
  },
})

/** Pushes a branch to a remote. */
export const pushing = work({
  kind: vcsKinds.push,
  lane: 'network',
  input: inputOf(PushBody),
  reply: Type.Object({ remote: Text(100), branch: Text(250) }),
  timeoutMs: otherMs,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { username, path, wish }, filemanager, ...asked }) => {
    const { owner, caller } = await filesOfCaller(filemanager, username, asked.caller)
    const { remote, branch, url, root, follows } = await owner.git.destination(path, 'push', wish)
    const at = { of: { username, repository: root, remote }, url }
    const signIn = await admit(filemanager, at, { ...asked, caller, wish })
    const args = {
      ...remoteArgs(at, { caller, path, branch, wish }),
      tags: wish.tags,
      upstream: wish.set_upstream && !follows,
      force: wish.force_with_lease,
    }
    return change({
      summary: `Push ${root || 'the home'} of ${username} to ${remote}/${branch}`,
      locks: [repositoryLock(username, root)],
      steps: [step(filemanager.steps.vcsPush, args, { signIn })],
      rows: rememberedRows(filemanager, at, { ...asked, wish, signIn }),
      reply: { remote, branch },
    })
  },
})

interface Wish {
  readonly credentials?: Credentials
  readonly remember: boolean
  readonly accept_fingerprint?: string
}

interface Admitting {
  readonly caller: Caller
  readonly wish: Wish
  readonly signal: AbortSignal
}

/** Returns the credentials for a remote; throws if the caller may not reach its address. */
async function admit(
  on: Filemanager,
  at: RemoteAt,
  { caller, wish: { credentials }, signal }: Admitting,
): Promise<SignIn | undefined> {
  refuseMismatch(at.url, credentials)
  await on.addresses.resolveAllowed(at.url.host, at.url.port, caller.user, signal)
  return signInOf(on, credentials, at)
}

/** The rows that keep credentials that worked, if the caller requested it. */
function rememberedRows(
  { vcs }: Filemanager,
  { of, url }: RemoteAt,
  { wish, signIn, now }: { readonly wish: Wish; readonly signIn: SignIn | undefined; readonly now: Date },
): readonly RowWrite[] {
  const isNew = wish.remember && wish.credentials !== undefined
  return isNew && signIn !== undefined ? vcs.credentialRows(of, url, signIn, now) : []
}

interface Naming {
  readonly caller: Caller
  readonly path: TextPath
  readonly branch: string
  readonly wish: Wish
}

function remoteArgs({ of: { username, remote }, url }: RemoteAt, { caller, path, branch, wish }: Naming) {
  const { isAdmin } = caller.user
  return {
    ...{ username, path, remote, branch, isAdmin },
    address: addressOf(url),
    acceptHostKey: wish.accept_fingerprint,
  }
}

async function refuseTaken({ owner }: Files, path: TextPath): Promise<void> {
  if (path.path.split('/').every((part) => part === '' || part === '.'))
    throw BadRequest(`${path.field}: a repository must be cloned into a folder of its own`)
  const stat = await found(owner, path)
  if (stat === undefined) return
  if (stat.type !== 'folder' || (await owner.list(path, { perPage: 1, showHidden: true })).total > 0)
    throw ownerProblems.AlreadyThere(
      `${path.field}: ${path.path.toWellFormed()}: the destination already exists`,
    )
}
