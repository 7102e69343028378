import { type Author, identity, isNothing, refuseUnended } from './commit.ts'
import { gitFailure } from './failures.ts'
import { InTheWay, NothingToDo } from './problems.ts'
import { refuseOverIgnored } from './ignored.ts'
import { emptyTree, readHead, readOperation, resolveCommit } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import { conflictsOf } from './status.ts'
import { complaint } from './message.ts'

export interface Reverted {
  readonly commit: string | null
  readonly discarded: number
  readonly trashed: number
}

/** Reverts a commit with a new one; on conflicts nothing changes. */
export async function revertCommit(repository: Repository, name: string, author: Author): Promise<Reverted> {
  const { commit, parents } = await revertible(repository, name)
  const mainline = parents.length > 1 ? ['--mainline', '1'] : []
  const { code, message, out } = await repository.attempt({
    args: ['revert', '--no-edit', '--no-gpg-sign', ...mainline, commit],
    env: identity(author),
    timeoutMs: 600_000,
    signal: undefined, // short, and half a revert would stay
  })
  if (code === 0) return { commit: await readHead(repository), discarded: 0, trashed: 0 }
  const output = out.toString('utf8') // git reports an empty revert on stdout, not on stderr
  // Only a revert started here is aborted: git refuses to start one while the rest of a revert or cherry-pick is pending.
  const isBegun = (await readOperation(repository)) === 'revert'
  const conflicts = isBegun ? await conflictsOf(repository) : []
  if (isBegun) await repository.attempt({ args: ['revert', '--abort'], signal: undefined })
  if (isNothing(output)) throw NothingToDo(`commit: ${name}: it changes nothing, or was already reverted`)
  if (conflicts.length > 0)
    throw InTheWay(
      `commit: ${name}: it cannot be reverted, because later changes conflict with it: ${conflicts.join(', ')}`,
    )
  if (!/would be overwritten|could not revert|could not apply/i.test(message))
    throw gitFailure(message + output, `${repository.place}: `)
  throw InTheWay(`commit: ${name}: it cannot be reverted: ${complaint(message)}`)
}

/** Resolves a name to a commit; refuses a missing one, and one that cannot be reverted in the current state. */
export async function revertible(
  repository: Repository,
  name: string,
): Promise<{ readonly commit: string; readonly parents: readonly string[] }> {
  const commit = await resolveCommit(repository, name)
  await refuseUnended(repository)
  const listed = await repository.git({
    args: ['rev-list', '--parents', '--max-count=1', commit],
    env: reads,
  })
  const [, ...parents] = listed.out.toString('utf8').trim().split(' ')
  await refuseOverIgnored(repository, {
    from: 'HEAD',
    base: commit,
    to: parents[0] ?? (await emptyTree(repository)),
  })
  return { commit, parents }
}
