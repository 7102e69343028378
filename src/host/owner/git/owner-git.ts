import { Problem, type ProblemKind } from '../../../core/problem.ts'
import { AlreadyThere, NoSuchFile } from '../problems.ts'
import type { Asking } from '../asking.ts'
import type { OwnerPath } from '../paths.ts'
import { shown } from '../paths.ts'
import { type Author, authorOf, commit, type CommitDraft, type CommitResult, committable } from './commit.ts'
import { discard, discardable } from './discard.ts'
import { type DiffOptions, type Difference, readDifference } from './difference.ts'
import { type Commit, type LogOptions, readLog, showCommit } from './history.ts'
import type { OtherSide } from './network.ts'
import { gitFailure } from './failures.ts'
import { NoSuchCommit, NotARepository } from './problems.ts'
import { type Operation, readBranches, readHead, readOperation, resolveCommit, setting } from './refs.ts'
import { addressOf, changeRemote, type Remote, remotesOf } from './remotes.ts'
import type { RemoteUrl } from './remote-url.ts'
import { folderOf, openRepository, type Repository } from './repository.ts'
import { revertCommit, type Reverted, revertible } from './revert.ts'
import { runGit } from './run.ts'
import { readStatus, type Status } from './status.ts'
import { fromHome } from './message.ts'
import { clone, type CloneOptions, currentBranch, defaultsOf, pull, push } from './transfer.ts'

export interface RepositoryState extends Status {
  readonly root: string
  readonly operation: Operation
  readonly branches: readonly string[]
  readonly remotes: readonly Remote[]
  readonly author: Author
}

interface Reaching {
  /** The host that git may reach; receives the address that the repository has for the remote. */
  readonly side: (remote: string, url: RemoteUrl) => Promise<OtherSide>
}

/** Version control in the home of one hosting user. Every run of git has the user's uid, a namespace of its own, and no repository's programs. */
export class OwnerGit {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Returns the differences from the last commit, and the state of the repository; undefined if the folder is not in a repository. */
  async status(path: OwnerPath, caller: Author, signal?: AbortSignal): Promise<RepositoryState | undefined> {
    const repository = await this.#open(path, signal).catch(noneOf(NotARepository))
    if (repository === undefined) return undefined
    const [status, operation, branches] = await Promise.all([
      readStatus(repository),
      readOperation(repository),
      readBranches(repository),
    ])
    const { root } = repository
    return {
      ...status,
      root,
      operation,
      branches,
      remotes: remotesOf(repository),
      author: authorOf(repository, caller),
    }
  }

  /** Returns the repository's folder in the home. */
  async rootOf(path: OwnerPath): Promise<string> {
    return (await this.#open(path)).root
  }

  async head(path: OwnerPath): Promise<string | null> {
    return readHead(await this.#open(path))
  }

  /** Returns the operation that was begun and not ended. */
  async operation(path: OwnerPath): Promise<Operation> {
    return readOperation(await this.#open(path))
  }

  /** Returns true if a branch of a remote was last seen at the current commit. */
  async isPushed(path: OwnerPath, remote: string, branch: string): Promise<boolean> {
    const repository = await this.#open(path)
    const [head, seen] = await Promise.all([
      readHead(repository),
      resolveCommit(repository, `refs/remotes/${remote}/${branch}`).catch(noneOf(NoSuchCommit)),
    ])
    return head !== null && head === seen
  }

  /** Returns true if a folder is itself a repository, not only inside one. */
  async isTop(path: OwnerPath, signal?: AbortSignal): Promise<boolean> {
    return (await this.#open(path, signal).catch(noneOf(NotARepository, NoSuchFile)))?.isTop === true
  }

  /** Refuses a folder that already is a repository. */
  async mayInit(path: OwnerPath, signal?: AbortSignal): Promise<void> {
    if (await this.isTop(path, signal)) throw AlreadyThere(`${shown(path)}: it is already a repository`)
  }

  async init(path: OwnerPath, branch: string, signal?: AbortSignal): Promise<void> {
    const folder = folderOf(path)
    await this.mayInit(path, signal)
    const args = ['init', '--quiet', '--template=', `--initial-branch=${branch}`, '--', `./${folder}`]
    const { code, message } = await runGit(this.#asking.account, { args, signal })
    if (code !== 0) throw gitFailure(fromHome(message, this.#asking.account.home), `${shown(path)}: `)
  }

  async diff(path: OwnerPath, options: DiffOptions, signal?: AbortSignal): Promise<Difference> {
    return readDifference(await this.#open(path, signal), options)
  }

  async log(
    path: OwnerPath,
    options: LogOptions,
    signal?: AbortSignal,
  ): Promise<{ readonly items: readonly Commit[]; readonly total: number }> {
    return readLog(await this.#open(path, signal), options)
  }

  async show(
    path: OwnerPath,
    name: string,
    file?: string,
    signal?: AbortSignal,
  ): Promise<Commit & Difference> {
    return showCommit(await this.#open(path, signal), name, file)
  }

  async commit(
    path: OwnerPath,
    draft: Omit<CommitDraft, 'author'>,
    author: Partial<Author>,
    caller: Author,
    signal?: AbortSignal,
  ): Promise<CommitResult> {
    const repository = await this.#open(path, signal)
    return commit(repository, { ...draft, author: { ...authorOf(repository, caller), ...author } })
  }

  /** Returns the files that a commit would take; fails as the commit would. */
  async committable(path: OwnerPath, what: CommitDraft['what']): Promise<readonly string[]> {
    return (await committable(await this.#open(path), what)).taken.map((file) => file.path)
  }

  /** Returns the commit that would be reverted; fails as the revert would, except for conflicts, which only a trial can find. */
  async revertible(path: OwnerPath, name: string): Promise<string> {
    return (await revertible(await this.#open(path), name)).commit
  }

  /** Returns how many files would be restored to the last commit, and how many would go to the trash; fails as `discard` would. */
  async discardable(
    path: OwnerPath,
    what: Exclude<CommitDraft['what'], 'staged'>,
  ): Promise<{ readonly known: number; readonly fresh: number }> {
    const { known, fresh } = await discardable(await this.#open(path), what)
    return { known: known.length, fresh: fresh.length }
  }

  async revert(path: OwnerPath, name: string, caller: Author, signal?: AbortSignal): Promise<Reverted> {
    const repository = await this.#open(path, signal)
    return revertCommit(repository, name, authorOf(repository, caller))
  }

  async discard(
    path: OwnerPath,
    what: Exclude<CommitDraft['what'], 'staged'>,
    signal?: AbortSignal,
  ): Promise<Reverted> {
    return discard(await this.#open(path, signal), what, this.#asking, signal)
  }

  /** Returns the address that the repository has for a remote, unchanged. */
  async urlOf(path: OwnerPath, name: string): Promise<string | undefined> {
    return setting(await this.#open(path), `remote.${name}.url`)
  }

  async changeRemote(
    path: OwnerPath,
    action: 'add' | 'set-url' | 'remove',
    name: string,
    url?: RemoteUrl,
  ): Promise<void> {
    await changeRemote(await this.#open(path), action, name, url)
  }

  /** Returns the target of a pull (`fetch`) or a push, with defaults from the tracking configuration. */
  async destination(
    path: OwnerPath,
    way: 'fetch' | 'push',
    named: { readonly remote?: string | undefined; readonly branch?: string | undefined },
  ) {
    const repository = await this.#open(path)
    const usual = await defaultsOf(repository)
    const remote = named.remote ?? usual.remote
    const branch = named.branch ?? (remote === usual.remote ? usual.branch : await currentBranch(repository))
    return {
      root: repository.root,
      remote,
      branch,
      url: addressOf(repository, remote, way),
      follows: usual.follows,
    }
  }

  async clone(to: OwnerPath, side: OtherSide, options: CloneOptions): Promise<void> {
    await clone(this.#asking, to, side, options)
  }

  async pull(
    path: OwnerPath,
    wanted: Reaching & { remote: string; branch: string; merge: boolean },
    caller: Author,
    signal: AbortSignal,
  ) {
    const repository = await this.#open(path, signal)
    const side = await wanted.side(wanted.remote, addressOf(repository, wanted.remote, 'fetch'))
    return pull(repository, side, {
      ...wanted,
      merge: wanted.merge ? authorOf(repository, caller) : undefined,
    })
  }

  async push(
    path: OwnerPath,
    wanted: Reaching & { remote: string; branch: string; tags: boolean; upstream: boolean; force: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const repository = await this.#open(path, signal)
    await push(
      repository,
      await wanted.side(wanted.remote, addressOf(repository, wanted.remote, 'push')),
      wanted,
    )
  }

  #open(path: OwnerPath, signal?: AbortSignal): Promise<Repository> {
    return openRepository(this.#asking.account, path, signal)
  }
}

/** Treats some failures as an absent result. */
function noneOf(...kinds: readonly ProblemKind[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Problem && kinds.includes(error.kind)) return undefined
    throw error
  }
}
