import { change } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { accepted } from '../../../core/reply.ts'
import { BadRequest } from '../../../core/problem.ts'
import { parseRemoteUrl } from '../../../host/owner/git/index.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import { found } from '../steps/files.ts'
import { endpoint } from '../context.ts'
import { byBody, homeFiles } from '../endpoints/target.ts'
import { vcsKinds } from '../job-kinds.ts'
import { pathOf, type TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import { reaching } from './failures.ts'
import { refuseMismatch } from './mismatch.ts'
import * as model from './model.ts'
import { authorFor } from './vcs.ts'

export const cloneRepository = endpoint({
  method: 'POST',
  path: '/vcs/clone',
  summary: 'Clone a repository into a new or empty folder',
  description:
    'A stored job; nothing stands in the place before all of it was fetched. Submodules are not cloned. An ssh server is asked for its key at the first contact, which is kept and told in the output of the job; another key is refused later.',
  effect: 'changes',
  category: homeFiles,
  body: model.CloneBody,
  reply: accepted,
  throws: reaching,
  target: byBody,
  run: async ({ target, body, filemanager, caller, signal }) => {
    const path = pathOf(body, 'path')
    const url = parseRemoteUrl(body.url)
    refuseMismatch(url, body.credentials)
    await filemanager.vcs.admit(url, caller, signal)
    await refuseTaken(target, path)
    const { branch, depth } = body
    return begun(vcsKinds.clone, `Clone ${url.host} into ${path.path} of ${target.username}`, caller, {
      ...common(target, path, body, caller),
      url: body.url,
      ...(branch !== undefined && { branch }),
      ...(depth !== undefined && { depth }),
    })
  },
})

export const pullRepository = endpoint({
  method: 'POST',
  path: '/vcs/pull',
  summary: 'Fetch what a remote has and take it over',
  description:
    'A stored job. Where remote and branch are absent, those that the branch follows, else origin and the branch of the same name.',
  effect: 'changes',
  category: homeFiles,
  body: model.PullBody,
  reply: accepted,
  throws: reaching,
  target: byBody,
  run: async ({ target, body, filemanager, caller, signal }) => {
    const path = pathOf(body, 'path', '')
    const { remote, branch, url, root } = await target.owner.git.destination(path, 'fetch', body)
    refuseMismatch(url, body.credentials)
    await filemanager.vcs.admit(url, caller, signal)
    const input = { ...common(target, path, body, caller), remote, branch, merge: body.strategy === 'merge' }
    return begun(
      vcsKinds.pull,
      `Pull ${remote}/${branch} into ${root || 'the home'} of ${target.username}`,
      caller,
      input,
    )
  },
})

export const pushRepository = endpoint({
  method: 'POST',
  path: '/vcs/push',
  summary: 'Send the commits of a branch to a remote',
  description:
    'A stored job. Never forced, unless force_with_lease says that what is replaced is what the last pull saw.',
  effect: 'changes',
  category: homeFiles,
  body: model.PushBody,
  reply: accepted,
  throws: reaching,
  target: byBody,
  run: async ({ target, body, filemanager, caller, signal }) => {
    const path = pathOf(body, 'path', '')
    const { remote, branch, url, root, follows } = await target.owner.git.destination(path, 'push', body)
    refuseMismatch(url, body.credentials)
    await filemanager.vcs.admit(url, caller, signal)
    const { tags, force_with_lease: force } = body
    const input = {
      ...common(target, path, body, caller),
      remote,
      branch,
      tags,
      force,
      upstream: body.set_upstream && !follows,
    }
    return begun(
      vcsKinds.push,
      `Push ${root || 'the home'} of ${target.username} to ${remote}/${branch}`,
      caller,
      input,
    )
  },
})

interface Reaching {
  readonly credentials?: model.Credentials
  readonly remember: boolean
  readonly accept_fingerprint?: string
}

function common(
  { username }: Files,
  path: TextPath,
  { credentials, remember, accept_fingerprint }: Reaching,
  caller: Caller,
) {
  return {
    username,
    path,
    is_admin: caller.user.isAdmin,
    author: authorFor(caller),
    remember,
    ...(credentials !== undefined && { credentials }),
    ...(accept_fingerprint !== undefined && { accept_fingerprint }),
  }
}

function begun(kind: string, title: string, caller: Caller, input: unknown) {
  return change({
    summary: title,
    jobs: [{ kind, input, ownerId: caller.user.id, title: title.slice(0, 200).toWellFormed() }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
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
