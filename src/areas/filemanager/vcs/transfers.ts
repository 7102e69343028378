import type { Static } from 'typebox'
import { type Change, change } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { BadRequest } from '../../../core/problem.ts'
import { parseRemoteUrl, type RemoteUrl } from '../../../host/owner/git/index.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import type { Filemanager } from '../context.ts'
import { vcsKinds } from '../job-kinds.ts'
import type { Files } from '../named-files.ts'
import { pathOf, type TextPath } from '../paths.ts'
import { found } from '../steps/files.ts'
import { refuseMismatch } from './mismatch.ts'
import type { CloneBody, Credentials, PullBody, PushBody } from './model.ts'
import { authorFor } from './vcs.ts'

interface Asked<Body> {
  readonly body: Body
  readonly caller: Caller
  readonly signal: AbortSignal
}

type Started = Promise<Change<{ job_id: number }>>

/** Starts the job that clones a repository into a new or empty folder. */
export async function cloneRepository(
  on: Filemanager,
  files: Files,
  asked: Asked<Static<typeof CloneBody>>,
): Started {
  const { body, caller } = asked
  const path = pathOf(body, 'path')
  const url = parseRemoteUrl(body.url)
  await admit(on, url, asked)
  await refuseTaken(files, path)
  const { branch, depth } = body
  return begun(vcsKinds.clone, `Clone ${url.host} into ${path.path} of ${files.username}`, caller, {
    ...common(files, path, asked),
    url: body.url,
    ...(branch !== undefined && { branch }),
    ...(depth !== undefined && { depth }),
  })
}

/** Starts the job that pulls from a remote. */
export async function pullRepository(
  on: Filemanager,
  files: Files,
  asked: Asked<Static<typeof PullBody>>,
): Started {
  const { body, caller } = asked
  const path = pathOf(body, 'path', '')
  const { remote, branch, url, root } = await files.owner.git.destination(path, 'fetch', body)
  await admit(on, url, asked)
  const title = `Pull ${remote}/${branch} into ${root || 'the home'} of ${files.username}`
  const merge = body.strategy === 'merge'
  return begun(vcsKinds.pull, title, caller, { ...common(files, path, asked), remote, branch, merge })
}

/** Starts the job that pushes a branch to a remote. */
export async function pushRepository(
  on: Filemanager,
  files: Files,
  asked: Asked<Static<typeof PushBody>>,
): Started {
  const { body, caller } = asked
  const path = pathOf(body, 'path', '')
  const { remote, branch, url, root, follows } = await files.owner.git.destination(path, 'push', body)
  await admit(on, url, asked)
  const { tags, force_with_lease: force } = body
  const title = `Push ${root || 'the home'} of ${files.username} to ${remote}/${branch}`
  const upstream = body.set_upstream && !follows
  return begun(vcsKinds.push, title, caller, {
    ...common(files, path, asked),
    ...{ remote, branch, tags, force, upstream },
  })
}

interface Reaching {
  readonly credentials?: Credentials
  readonly remember: boolean
  readonly accept_fingerprint?: string
}

/** Throws for addresses that the caller may not reach, before a job starts. */
async function admit(
  { addresses }: Filemanager,
  url: RemoteUrl,
  { body: { credentials }, caller, signal }: Asked<Reaching>,
): Promise<void> {
  refuseMismatch(url, credentials)
  await addresses.resolveAllowed(url.host, url.port, caller.user, signal)
}

function common(
  { username }: Files,
  path: TextPath,
  { body: { credentials, remember, accept_fingerprint }, caller }: Asked<Reaching>,
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
