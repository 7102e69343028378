import { gitFailure } from './failures.ts'
import { NoSuchCommit } from './problems.ts'
import { reads, type Repository } from './repository.ts'
import { runGit } from './run.ts'

/** What somebody began and did not end; `am` takes patches over. */
export type Operation = 'none' | 'merge' | 'rebase' | 'cherry_pick' | 'revert' | 'am' | 'bisect'

// Files (f) and folders (d) of git's own. A rebase that stops has marks of others, too; one that waits between commits has its folder alone.
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

/** Tells what is under way in a repository. By the marks themselves: a branch or tag may have the name of one. */
export async function readOperation(repository: Repository): Promise<Operation> {
  const folder = await gitFolder(repository)
  const names = [...[...marks.keys()].map((mark) => mark.slice(2)), todo, bisecting]
  const args = [...names.map((name) => `${folder}/${name}`), '-maxdepth', '0', '-printf', '%y %p\\0']
  const { out } = await runGit(repository.account, { args }, '/usr/bin/find') // it fails for each that is not there
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

// Of several commits to pick or revert, some may be left though the one that stopped was committed.
async function readTodo({ account }: Repository, path: string): Promise<Operation> {
  const { out } = await runGit(account, { args: ['-c', '200', path] }, '/usr/bin/head')
  return /^\s*r/.test(out.toString('utf8')) ? 'revert' : 'cherry_pick'
}

/** The folder that has what git knows of a working tree, as a path from where git runs; in the home it begins with `./`. */
export async function gitFolder({ account, root, git }: Repository): Promise<string> {
  const path = (await git({ args: ['rev-parse', '--git-dir'], env: reads })).out
    .toString('utf8')
    .replace(/\n$/, '')
  if (path.startsWith(`${account.home}/`)) return `.${path.slice(account.home.length)}`
  return path.startsWith('/') ? path : `./${root === '' ? '' : `${root}/`}${path}`
}

/** The branch that is checked out, also before its first commit; undefined where none is. */
export async function readBranch(repository: Repository): Promise<string | undefined> {
  const { out } = await repository.attempt({ args: ['symbolic-ref', '--quiet', 'HEAD'], env: reads })
  const ref = out.toString('utf8').trimEnd() // `--short` would write heads/main where a tag has the name, too
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** The local branches, the last committed to first. */
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

/** The id of the commit that a name means; `field` is the one that held it. What a branch and a tag are both called is the branch: git takes the tag. */
export async function resolveCommit(repository: Repository, name: string, field = 'commit'): Promise<string> {
  const isBranch = !/^(?:[A-Z_]+HEAD|HEAD|[0-9a-f]{40,64})(?![^~^@])/.test(name)
  for (const meant of isBranch ? [`refs/heads/${name}`, name] : [name]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${meant}^{commit}`]
    const { code, out } = await repository.attempt({ args, env: reads })
    const oid = out.toString('utf8').trim()
    if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid)) return oid
  }
  if (name === 'HEAD') await readHead(repository) // where it cannot be read, git says why
  throw NoSuchCommit(`${field}: ${name}: the repository has no such commit`)
}

/** The tree of no files, which a first commit is compared with. */
export async function emptyTree(repository: Repository): Promise<string> {
  const { out } = await repository.git({
    args: ['hash-object', '-t', 'tree', '--stdin'],
    input: Buffer.alloc(0),
    env: reads,
  })
  return out.toString('utf8').trim()
}

/** The id of the commit that is checked out; null before the first. Fails in git's words where the repository is damaged. */
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

/** The last value of a key, as git takes it. */
export function setting({ config }: Repository, key: string): string | undefined {
  return config.findLast(([each]) => each === key)?.[1]
}
