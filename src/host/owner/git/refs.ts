import { NoSuchCommit } from './problems.ts'
import { reads, type Repository } from './repository.ts'

/** What somebody began and did not end. */
export type Operation = 'none' | 'merge' | 'rebase' | 'cherry_pick' | 'revert'

const marks = [
  ['MERGE_HEAD', 'merge'],
  ['REBASE_HEAD', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry_pick'],
  ['REVERT_HEAD', 'revert'],
] as const

/** Tells what is under way in a repository. */
export async function readOperation(repository: Repository): Promise<Operation> {
  const input = Buffer.from(marks.map(([name]) => `${name}\n`).join(''))
  const { out } = await repository.git({ args: ['cat-file', '--batch-check'], input, env: reads })
  const lines = out.toString('utf8').split('\n')
  return marks.find((_, at) => / commit \d+$/.test(lines[at] ?? ''))?.[1] ?? 'none'
}

/** The local branches, the last committed to first. */
export async function readBranches(repository: Repository): Promise<readonly string[]> {
  const args = ['for-each-ref', '--count=500', '--sort=-committerdate', '--format=%(refname:strip=2)', 'refs/heads']
  const { out } = await repository.git({ args, env: reads })
  return out.toString('utf8').split('\n').filter(Boolean)
}

/** The id of the commit that a name means. */
export async function resolveCommit(repository: Repository, name: string): Promise<string> {
  const { code, out } = await repository.attempt({ args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], env: reads })
  const oid = out.toString('utf8').trim()
  if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(oid)) throw NoSuchCommit(`${name}: the repository has no such commit`)
  return oid
}

/** The id of the commit that is checked out; null before the first. */
export async function readHead(repository: Repository): Promise<string | null> {
  const { code, out } = await repository.attempt({ args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], env: reads })
  return code === 0 ? out.toString('utf8').trim() : null
}

/** The last value of a key, as git takes it. */
export function setting({ config }: Repository, key: string): string | undefined {
  return config.findLast(([each]) => each === key)?.[1]
}
