import type { Asking } from '../asking.ts'
import { toBytes } from '../paths.ts'
import { replies } from '../replies.ts'
import { type Author, chosenOf, identity, pathList, refuseUnended } from './commit.ts'
import { gitFailure } from './failures.ts'
import { InTheWay, NothingToDo } from './problems.ts'
import { readHead, resolveCommit } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import { type ChangedFile, readStatus } from './status.ts'
import { complaint } from './words.ts'

export interface Reverted {
  readonly commit: string | null
  readonly discarded: number
  readonly trashed: number
}

/** Takes a commit back by a new one; where that meets conflicts nothing changes. */
export async function revertCommit(repository: Repository, name: string, author: Author): Promise<Reverted> {
  const commit = await resolveCommit(repository, name)
  await refuseUnended(repository)
  const parents = (await repository.git({ args: ['rev-list', '--parents', '--max-count=1', commit], env: reads })).out
    .toString('utf8')
    .trim()
    .split(' ')
  const mainline = parents.length > 2 ? ['--mainline', '1'] : []
  const { code, words } = await repository.attempt({
    args: ['revert', '--no-edit', '--no-gpg-sign', ...mainline, commit],
    env: identity(author),
    timeoutMs: 600_000,
  })
  if (code === 0) return { commit: await readHead(repository), discarded: 0, trashed: 0 }
  await repository.attempt({ args: ['revert', '--abort'] })
  if (/nothing to commit|is now empty|nothing added/.test(words)) throw NothingToDo(`commit: ${name} was taken back already`)
  if (!/conflict|would be overwritten|could not revert|could not apply/i.test(words)) throw gitFailure(words)
  throw InTheWay(`commit: ${name} cannot be taken back: ${complaint(words)}`)
}

/** Makes files what they were in the last commit. Those that no commit has go to the trash. */
export async function discard(repository: Repository, what: 'all' | readonly string[], asking: Asking, signal?: AbortSignal): Promise<Reverted> {
  const [{ files }, head] = await Promise.all([readStatus(repository), readHead(repository)])
  const chosen = chosenOf(files, what)
  if (chosen.length === 0) throw NothingToDo('Nothing changed')
  const fresh = chosen.filter((file) => head === null || file.unstaged === 'untracked' || file.staged === 'added' || file.staged === 'copied')
  const known = chosen.filter((file) => !fresh.includes(file))
  const renamed = known.filter((file) => file.staged === 'renamed')
  await throwAway(repository, [...fresh, ...renamed], asking, signal)
  await unstage(repository, [...fresh.filter((file) => file.unstaged !== 'untracked'), ...renamed])
  await restore(repository, known)
  return { commit: null, discarded: known.length, trashed: fresh.length }
}

async function throwAway(repository: Repository, files: readonly ChangedFile[], asking: Asking, signal?: AbortSignal): Promise<void> {
  const there = files.filter((file) => file.unstaged !== 'deleted' && !(file.isSubmodule && file.path.endsWith('/')))
  if (there.length === 0) return
  const paths = there.map(({ path }) => toBytes(repository.root === '' ? path : `${repository.root}/${path}`))
  await asking.ask({
    request: { op: 'remove', paths, recursive: false, trash: true },
    reply: replies.removed,
    about: repository.root,
    signal,
    onNote: () => {},
  })
}

async function unstage(repository: Repository, files: readonly ChangedFile[]): Promise<void> {
  if (files.length === 0) return
  const input = Buffer.concat(files.map((file) => pathList([{ ...file, oldPath: file.path }])))
  await repository.git({ args: ['update-index', '--force-remove', '-z', '--stdin'], input })
}

async function restore(repository: Repository, files: readonly ChangedFile[]): Promise<void> {
  if (files.length === 0) return
  const input = pathList(files.map((file) => (file.staged === 'renamed' && file.oldPath !== undefined ? { ...file, path: file.oldPath } : file)))
  await repository.git({
    args: ['restore', '--source=HEAD', '--staged', '--worktree', '--no-recurse-submodules', '--pathspec-from-file=-', '--pathspec-file-nul'],
    input,
    timeoutMs: 600_000,
  })
}
