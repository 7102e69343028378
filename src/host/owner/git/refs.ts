import { gitFailure } from './failures.ts'
import { NoSuchCommit } from './problems.ts'
import { reads, type Repository } from './repository.ts'
import { runGit } from './run.ts'

/** An operation in progress; `am` applies patches. */
export type Operation = 'none' | 'merge' | 'rebase' | 'cherry_pick' | 'revert' | 'am' | 'bisect'

// Files (f) and folders (d) of git's own. A rebase that stopped has other markers, too; one between two commits has only its folder.
const marks: ReadonlyMap<string, Operation> = new Map([
  ['f rebase-apply/applying', 'am'],
  ['d rebase-merge', 'rebase'],
  ['d rebase-apply', 'rebase'],
  ['f MERGE_HEAD', 'merge'],
  ['f CHERRY_PICK_HEAD', 'cherry_pick'],
  ['f REVERT_HEAD', 'revert'],
])
const todo = 'sequencer/todo'
const bisecting = 'BISECT_LOG'

/** Determines the operation in progress in a repository. From the marker files: a branch or tag may have the same name as one. */
export async function readOperation(repository: Repository): Promise<Operation> {
  const folder = await gitFolder(repository)
  const names = [...[...marks.keys()].map((mark) => mark.slice(2)), todo, bisecting]
  const args = [...names.map((name) => `${folder}/${name}`), '-maxdepth', '0', '-printf', '%y %p\\0']
  const { out } = await runGit(repository.account, { args }, '/usr/bin/find') // it fails for each missing path
  const there = new Set(
    out
      .toString('utf8')
      .split('\0')
      .map((found) => found.replace(`${folder}/`, '')),
  )
  for (const [mark, operation] of marks) if (there.has(mark)) return operation
  if (there.has(`f ${todo}`)) return readTodo(repository, `${folder}/${todo}`)
  return there.has(`f ${bisecting}`) ? 'bisect' : 'none'
}

// In a cherry-pick or revert of several commits, some may remain although the one that stopped was committed.
async function readTodo({ account }: Repository, path: string): Promise<Operation> {
  const { out } = await runGit(account, { args: ['-c', '200', path] }, '/usr/bin/head')
  return /^\s*r/.test(out.toString('utf8')) ? 'revert' : 'cherry_pick'
}

/** Returns the git directory of a working tree, relative to git's working directory; in the home it begins with `./`. */
export async function gitFolder({ account, root, git }: Repository): Promise<string> {
  const path = (await git({ args: ['rev-parse', '--git-dir'], env: reads })).out
    .toString('utf8')
    .replace(/\n$/, '')
  if (path.startsWith(`${account.home}/`)) return `.${path.slice(account.home.length)}`
  return path.startsWith('/') ? path : `./${root === '' ? '' : `${root}/`}${path}`
}

/** Returns the current branch, also before its first commit; undefined if HEAD is detached. */
export async function readBranch(repository: Repository): Promise<string | undefined> {
  const { out } = await repository.attempt({ args: ['symbolic-ref', '--quiet', 'HEAD'], env: reads })
  const ref = out.toString('utf8').trimEnd() // `--short` would output heads/main if a tag has the same name
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** Returns the local branches, most recent commit first. */
export async function readBranches(repository: Repository): Promise<readonly string[]> {
  const args = [
    'for-each-ref',
    '--count=500',
    '--sort=-committerdate',
    '--format=%(refname:strip=2)',
    'refs/heads',
  ]
  const { out } = await repository.git({ args, env: reads })
  return out.toString('utf8').split('\n').filter(Boolean)
}

/** Resolves a name to a commit id; `field` is its request field. If a branch and a tag have the same name, the branch wins: git would take the tag. */
export async function resolveCommit(repository: Repository, name: string, field = 'commit'): Promise<string> {
  const isBranch = !/^(?:[A-Z_]+HEAD|HEAD|[0-9a-f]{40,64})(?![^~^@])/.test(name)
  for (const meant of isBranch ? [`refs/heads/${name}`, name] : [name]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${meant}^{commit}`]
    const { code, out } = await repository.attempt({ args, env: reads })
    const oid = out.toString('utf8').trim()
    if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid)) return oid
  }
  if (name === 'HEAD') await readHead(repository) // if HEAD cannot be read, git's message gives the reason
  throw NoSuchCommit(`${field}: ${name}: the repository has no such commit`)
}

/** The empty tree, which a first commit is compared with. */
export async function emptyTree(repository: Repository): Promise<string> {
  const { out } = await repository.git({
    args: ['hash-object', '-t', 'tree', '--stdin'],
    input: Buffer.alloc(0),
    env: reads,
  })
  return out.toString('utf8').trim()
}

/** Returns the id of the current commit; null before the first. Fails with git's message if the repository is damaged. */
export async function readHead(repository: Repository): Promise<string | null> {
  const { code, out } = await repository.attempt({
    args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'],
    env: reads,
  })
  if (code === 0) return out.toString('utf8').trim()
  const { message } = await repository.attempt({
    args: ['log', '--max-count=1', '--format=', '--no-show-signature'],
    env: reads,
  })
  if (/does not have any commits yet/.test(message)) return null
  throw gitFailure(message, `${repository.place}: `)
}

/** Returns the last value of a key, as git does. */
export function setting({ config }: Repository, key: string): string | undefined {
  return config.findLast(([each]) => each === key)?.[1]
}
