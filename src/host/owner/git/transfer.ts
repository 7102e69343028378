import { randomBytes } from 'node:crypto'
import { Problem } from '../../../core/problem.ts'
import type { Asking } from '../asking.ts'
import { clones } from '../confined/paths.ts'
import { AlreadyThere, NoSuchFile } from '../problems.ts'
import { bareOf, shown, toBytes, type OwnerPath } from '../paths.ts'
import { replies } from '../replies.ts'
import { type Author, identity, refuseUnended } from './commit.ts'
import { type OtherSide, runWithNetwork } from './network.ts'
import { gitFailure } from './failures.ts'
import { removeHalfPacks } from './leftovers.ts'
import { Diverged, InTheWay, NothingToDo } from './problems.ts'
import { refuseOverIgnored, type Step } from './ignored.ts'
import { emptyTree, readBranch, readHead, resolveCommit, setting } from './refs.ts'
import { folderOf, reads, type Repository } from './repository.ts'
import { runGit } from './run.ts'
import { conflictsOf, stagedIn } from './status.ts'
import { complaint } from './message.ts'

export interface CloneOptions {
  readonly branch?: string | undefined
  readonly depth?: number | undefined
}

const live = new Set<string>()
const still = ['--no-recurse-submodules', '--progress']

/** Clones to a temporary folder and moves the complete repository to its destination: half a clone is never visible, and is removed. */
export async function clone(
  asking: Asking,
  to: OwnerPath,
  side: OtherSide,
  { branch, depth }: CloneOptions,
): Promise<void> {
  const { account } = asking
  folderOf(to)
  const scratch = `${clones}${randomBytes(8).toString('hex')}`
  live.add(scratch)
  try {
    await removeDead(asking)
    await refuseTaken(asking, to)
    const choice = [
      ...(branch === undefined ? [] : ['--branch', branch]),
      ...(depth === undefined ? [] : ['--depth', String(depth)]),
    ]
    const args = [
      'clone',
      ...still,
      '--template=',
      '--origin',
      'origin',
      ...choice,
      '--',
      side.url.text,
      `./${scratch}`,
    ]
    const destination = shown(bareOf(to)) // git names a folder, not a request field
    await runWithNetwork(account, side, { args }, [
      [`./${scratch}`, destination],
      [scratch, destination],
    ])
    side.signal?.throwIfAborted()
    await place(asking, scratch, to)
  } finally {
    live.delete(scratch)
    await remove(asking, [scratch])
  }
}

/** Fetches a branch and integrates its commits: by fast-forward, or by a merge that is undone on conflicts. */
export async function pull(
  repository: Repository,
  side: OtherSide,
  wanted: { remote: string; branch: string; merge: Author | undefined },
) {
  await refuseUnended(repository)
  const before = await readHead(repository)
  await fetch(repository, side, ['--', wanted.remote, `refs/heads/${wanted.branch}`])
  side.signal?.throwIfAborted()
  await refuseOverIgnored(repository, await stepTo(repository, before))
  const way =
    wanted.merge === undefined
      ? ['--ff-only']
      : ['--ff', '--no-edit', '--no-verify', '--no-gpg-sign', '--no-verify-signatures']
  const { code, message, out } = await repository.attempt({
    args: ['merge', '--no-stat', '--no-autostash', '--no-overwrite-ignore', ...way, 'FETCH_HEAD'],
    ...(wanted.merge && { env: identity(wanted.merge) }),
    timeoutMs: 600_000,
    signal: undefined, // short, and half a merge would stay
  })
  if (code !== 0) throw await unmerged(repository, message + out.toString('utf8'))
  return { before, commit: await readHead(repository) }
}

const fetching = new Set<string>()

/** Fetches, one at a time per repository, as the leftovers of an interrupted fetch are removed. */
async function fetch(repository: Repository, side: OtherSide, what: readonly string[]): Promise<void> {
  const { account, root } = repository
  const key = `${account.uid}:${root}`
  if (fetching.has(key)) throw InTheWay(`${repository.place}: a pull is in progress here: wait until it ends`)
  const began = Date.now()
  fetching.add(key)
  try {
    await runWithNetwork(account, side, {
      args: ['-C', `./${root}`, 'fetch', ...still, '--no-auto-maintenance', ...what],
    })
  } catch (error) {
    await removeHalfPacks(repository, began)
    throw error
  } finally {
    fetching.delete(key)
  }
}

/** The step from the last commit to the fetched one. */
async function stepTo(repository: Repository, before: string | null): Promise<Step> {
  const to = await resolveCommit(repository, 'FETCH_HEAD')
  const none = await emptyTree(repository)
  if (before === null) return { from: none, base: none, to }
  const { out } = await repository.attempt({ args: ['merge-base', before, to], env: reads })
  return { from: before, base: out.toString('utf8').trim() || none, to }
}

/** Pushes the current branch. Commits on the remote that are missing here stay, unless `force` confirms that they are those of the last pull. */
export async function push(
  repository: Repository,
  side: OtherSide,
  wanted: { remote: string; branch: string; tags: boolean; upstream: boolean; force: boolean },
): Promise<void> {
  const current = await currentBranch(repository)
  if ((await readHead(repository)) === null)
    throw NothingToDo(`${repository.place}: the branch has no commit to push yet`)
  const choice = [
    ...(wanted.tags ? ['--tags'] : []),
    ...(wanted.force ? ['--force-with-lease'] : []),
    ...(wanted.upstream ? ['--set-upstream'] : []),
  ]
  const args = [
    'push',
    ...still,
    '--no-verify',
    '--no-signed',
    ...choice,
    '--',
    wanted.remote,
    `refs/heads/${current}:refs/heads/${wanted.branch}`,
  ]
  try {
    await runWithNetwork(repository.account, side, { args: ['-C', `./${repository.root}`, ...args] })
  } catch (error) {
    if (
      error instanceof Error &&
      /\[rejected\].*(?:stale info|fetch first|non-fast-forward|needs force|already exists)/.test(
        error.message,
      )
    )
      throw Diverged(`branch: ${wanted.branch} was not pushed: ${error.message}`)
    throw error
  }
}

/** Returns the current branch; without one, nothing can be pulled or pushed. */
export async function currentBranch(repository: Repository): Promise<string> {
  const branch = await readBranch(repository)
  if (branch === undefined) throw InTheWay(`${repository.place}: no branch is checked out`)
  return branch
}

/** Returns the remote and branch of a pull or push that names none: those that the branch tracks, otherwise `origin` and the branch itself. */
export async function defaultsOf(
  repository: Repository,
): Promise<{ readonly remote: string; readonly branch: string; readonly follows: boolean }> {
  const current = await currentBranch(repository)
  const remote = setting(repository, `branch.${current}.remote`)
  if (remote === undefined || remote === '.') return { remote: 'origin', branch: current, follows: false } // a dot: it tracks another local branch
  const follows = setting(repository, `branch.${current}.merge`)?.replace(/^refs\/heads\//, '')
  return { remote, branch: follows ?? current, follows: follows !== undefined }
}

async function unmerged(repository: Repository, output: string): Promise<Error> {
  const { place } = repository
  if (/Not possible to fast-forward/.test(output))
    return Diverged(
      `${place}: both sides have commits that the other lacks: pull with strategy merge to join them`,
    )
  if (/unrelated histories/.test(output))
    return Diverged(
      `${place}: the remote branch has no commit in common with this one: clone it into another folder`,
    )
  const conflicts = await conflictsOf(repository)
  const staged = /by merge:\n {2}\S/.test(output) ? await stagedIn(repository) : []
  await repository.attempt({ args: ['merge', '--abort'], signal: undefined })
  if (conflicts.length > 0)
    return Diverged(`${place}: both sides changed ${conflicts.join(', ')}; the merge was undone`)
  if (staged.length > 0)
    return InTheWay(`${place}: commit or discard the staged changes first: ${staged.join(', ')}`)
  if (/would be overwritten|not uptodate|uncommitted changes/.test(output))
    return InTheWay(`${place}: commit or discard your changes first: ${complaint(output)}`)
  return gitFailure(output, `${place}: `)
}

async function refuseTaken(asking: Asking, to: OwnerPath): Promise<void> {
  const path = toBytes(to)
  if (path === '') throw AlreadyThere(`${shown(to)}: a repository must be cloned into a folder of its own`)
  const found = await asking
    .ask({
      request: { op: 'list', path, offset: 0, limit: 1, sort: 'name', descending: false, hidden: true },
      reply: replies.list,
      about: to,
      limit: 1 << 20,
    })
    .catch((error: unknown) => {
      if (isAbsent(error)) return undefined
      throw error
    })
  if (found === undefined) return
  if (found.total > 0) throw AlreadyThere(`${shown(to)}: the folder is not empty`)
}

const isAbsent = (error: unknown): boolean => error instanceof Problem && error.kind === NoSuchFile

async function place(asking: Asking, scratch: string, to: OwnerPath): Promise<void> {
  const path = toBytes(to).replace(/\/+$/, '')
  const ask = { about: to, onNote: () => {} }
  await asking.ask({
    ...ask,
    request: { op: 'mkdir', path, recursive: true, mode: 0o755 },
    reply: replies.nothing,
  })
  await asking.ask({
    ...ask,
    request: { op: 'remove', paths: [path], recursive: false, trash: false },
    reply: replies.removed,
  })
  await asking.ask({
    ...ask,
    request: { op: 'move', from: scratch, to: path, overwrite: false, into: false },
    reply: replies.nothing,
  })
}

async function remove(asking: Asking, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await runGit(
    asking.account,
    { args: ['-rf', '--', ...names.map((name) => `./${name}`)], timeoutMs: 600_000 },
    '/usr/bin/rm',
  )
}

/** Temporary clones of a panel process that was killed. */
async function removeDead(asking: Asking): Promise<void> {
  const args = ['.', '-maxdepth', '1', '-name', `${clones}*`, '-printf', '%f\\n']
  const { out } = await runGit(asking.account, { args, maxBytes: 64 * 1024, cuts: true }, '/usr/bin/find')
  const names = out
    .toString('utf8')
    .split('\n')
    .filter((name) => /^\.hostreeve-tmp-clone-[0-9a-f]{16}$/.test(name))
  await remove(
    asking,
    names.filter((name) => !live.has(name)),
  )
}
