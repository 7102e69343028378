import { NoSuchCommit } from './problems.ts'
import { reads, type Repository } from './repository.ts'
import { runGit } from './run.ts'

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
  for (const [at, [name, operation]] of marks.entries()) if (/ commit \d+$/.test(lines[at] ?? '') && (await isOwn(repository, name))) return operation
  return 'none'
}

// A branch or tag may have the name of a mark, and tags come with every pull: the mark itself is a file.
async function isOwn({ account, root, git }: Repository, name: string): Promise<boolean> {
  const path = (await git({ args: ['rev-parse', '--git-path', name], env: reads })).out.toString('utf8').replace(/\n$/, '')
  return (await runGit(account, { args: ['-f', path.startsWith('/') ? path : `./${root}/${path}`] }, '/usr/bin/test')).code === 0
}

/** The branch that is checked out, also before its first commit; undefined where none is. */
export async function readBranch(repository: Repository): Promise<string | undefined> {
  const { out } = await repository.attempt({ args: ['symbolic-ref', '--quiet', 'HEAD'], env: reads })
  const ref = out.toString('utf8').trimEnd() // `--short` would write heads/main where a tag has the name, too
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
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

/** The tree of no files, which a first commit is compared with. */
export async function emptyTree(repository: Repository): Promise<string> {
  const { out } = await repository.git({ args: ['hash-object', '-t', 'tree', '--stdin'], input: Buffer.alloc(0), env: reads })
  return out.toString('utf8').trim()
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
