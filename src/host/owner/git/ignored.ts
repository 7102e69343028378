import { foldersAbove, namesIn, shownIn } from './names.ts'
import { InTheWay } from './problems.ts'
import { reads, type Repository } from './repository.ts'

const maxBytes = 32 * 1024 * 1024
const shownNames = 10

/** The step from one tree to another, with the differences between `base` and the latter. */
export interface Step {
  readonly from: string
  readonly base: string
  readonly to: string
}

/**
 * Refuses a merge or revert that would overwrite ignored files: git considers those worthless and replaces them silently, although
 * settings and secrets are the files that are most often ignored.
 */
export async function refuseOverIgnored(repository: Repository, { from, base, to }: Step): Promise<void> {
  const missing = await differing(repository, ['--diff-filter=A', from, to])
  if (missing.length === 0) return
  const changed = new Set(await differing(repository, [base, to]))
  const added = new Set(missing.filter((path) => changed.has(path)))
  if (added.size === 0) return
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z']
  const met = meeting(added, namesIn((await repository.git({ args, env: reads, maxBytes, cuts: true })).out))
  if (met.length === 0) return
  const names = `${met
    .slice(0, shownNames)
    .map((name) => shownIn(repository.root, name))
    .join(', ')}${met.length > shownNames ? ', …' : ''}`
  throw InTheWay(
    `${repository.place}: ignored files are in the way of files of the commits: ${names}; move or remove them first`,
  )
}

async function differing(repository: Repository, how: readonly string[]): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '-z', ...how]
  return namesIn((await repository.git({ args, env: reads, maxBytes, cuts: true })).out)
}

/** The ignored files at the path of an added file, above it or below it. */
function meeting(added: ReadonlySet<string>, ignored: readonly string[]): readonly string[] {
  const above = new Set([...added].flatMap(foldersAbove))
  return ignored.filter(
    (name) => added.has(name) || above.has(name) || foldersAbove(name).some((folder) => added.has(folder)),
  )
}
