import Type, { type Static } from 'typebox'
import { Prose, Text } from '../../../core/schemas.ts'
import type { JobRun } from '../../../core/job.ts'
import { parseRemoteUrl, type RemoteUrl, type SignIn } from '../../../host/owner/git/index.ts'
import { type Context, job } from '../context.ts'
import { vcsKinds } from '../job-kinds.ts'
import { Credentials } from './model.ts'
import { plain } from './paths.ts'
import { rememberSignIn, sideOf } from './sides.ts'
import type { RemoteOf } from './store.ts'

const where = {
  username: Text(64),
  path: Type.Object({ field: Text(20), path: Prose(4096) }),
  is_admin: Type.Boolean(),
  author: Type.Object({ name: Text(300), email: Text(300) }),
  credentials: Type.Optional(Credentials),
  remember: Type.Boolean(),
  accept_fingerprint: Type.Optional(Text(60)),
}
const CloneInput = Type.Object({
  ...where,
  url: Prose(2000),
  branch: Type.Optional(Text(200)),
  depth: Type.Optional(Type.Integer()),
})
const PullInput = Type.Object({ ...where, remote: Text(100), branch: Text(200), merge: Type.Boolean() })
const PushInput = Type.Object({
  ...where,
  remote: Text(100),
  branch: Text(200),
  tags: Type.Boolean(),
  upstream: Type.Boolean(),
  force: Type.Boolean(),
})

const cloneMs = 4 * 3_600_000
const otherMs = 3_600_000

type Running<Schema extends typeof CloneInput | typeof PullInput | typeof PushInput> = JobRun<
  Static<Schema>
> &
  Context

/** Clones a repository; after a restart of the panel the job starts over without leftovers of the first attempt. */
export const cloneJob = job({
  kind: vcsKinds.clone,
  lane: 'network',
  input: CloneInput,
  timeoutMs: cloneMs,
  attempts: 1,
  resumes: true,
  run: async (run) => {
    const { username, path, url: text, branch, depth } = run.input
    const { git } = await run.filemanager.ownerOf(username)
    const url = parseRemoteUrl(text)
    const named = { username, repository: plain(path.path), remote: 'origin' }
    const { side, keep } = await reached(run, named, url, cloneMs)
    await git.clone(path, side, { branch, depth })
    await keep(side.signIn, { ...named, repository: await git.rootOf(path) }) // the path may contain a symlink
    return { path: path.path.toWellFormed(), commit: await git.head(path) }
  },
})

/** Pulls from a remote. */
export const pullJob = job({
  kind: vcsKinds.pull,
  lane: 'network',
  input: PullInput,
  timeoutMs: otherMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { username, path, remote, branch, merge, author } = run.input
    const { git } = await run.filemanager.ownerOf(username)
    const reach = await reaching(run, await git.rootOf(path))
    const { before, commit } = await git.pull(
      path,
      { remote, branch, merge, side: reach.side },
      author,
      run.signal,
    )
    await reach.keep()
    await run.output(before === commit ? 'Nothing new' : `Now at ${commit}`)
    return { before, commit }
  },
})

/** Pushes to a remote. */
export const pushJob = job({
  kind: vcsKinds.push,
  lane: 'network',
  input: PushInput,
  timeoutMs: otherMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { username, path, ...wanted } = run.input
    const { git } = await run.filemanager.ownerOf(username)
    const reach = await reaching(run, await git.rootOf(path))
    await git.push(path, { ...wanted, side: reach.side }, run.signal)
    await reach.keep()
    return { remote: wanted.remote, branch: wanted.branch }
  },
})

/** Prepares the connection to a remote whose address is read when the repository is opened. */
async function reaching(run: Running<typeof PullInput> | Running<typeof PushInput>, repository: string) {
  let keep = async (): Promise<void> => {}
  const side = async (remote: string, url: RemoteUrl) => {
    const found = await reached(run, { username: run.input.username, repository, remote }, url, otherMs)
    keep = () => found.keep(found.side.signIn, { username: run.input.username, repository, remote })
    return found.side
  }
  return { side, keep: () => keep() }
}

async function reached(
  run: Running<typeof CloneInput | typeof PullInput | typeof PushInput>,
  of: RemoteOf,
  url: RemoteUrl,
  timeoutMs: number,
) {
  const { is_admin: isAdmin, credentials, remember, accept_fingerprint: acceptHostKey } = run.input
  const field = 'url' in run.input ? 'url' : 'remote'
  const reach = { asker: { isAdmin }, credentials, remember, acceptHostKey, field } as const
  const side = await sideOf(run.filemanager, { of, url }, { reach, run, timeoutMs })
  const keep = (signIn: SignIn | undefined, as: RemoteOf) =>
    rememberSignIn(run.filemanager, { of: as, url }, { reach, signIn })
  return { side, keep }
}

export const vcsJobs = [cloneJob, pullJob, pushJob]
