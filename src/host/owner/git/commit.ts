import { HelperFailed } from '../problems.ts'
import { pathBytes } from '../paths.ts'
import { gitFailure } from './failures.ts'
import { BadPath, GitFailed, InTheWay, NothingToDo } from './problems.ts'
import { type Operation, readHead, readOperation, setting } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import { type ChangedFile, readStatus } from './status.ts'

/** Whose name a commit bears. */
export interface Author {
  readonly name: string
  readonly email: string
}

export interface CommitDraft {
  readonly message: string
  readonly author: Author
  /** `staged` takes what the index has; paths are from the repository's folder, a folder means what changed in it. */
  readonly what: 'all' | 'staged' | readonly string[]
}

export interface CommitResult {
  readonly commit: string
  readonly subject: string
  readonly files: number
}

/** Commits. Where it fails, what was staged is again what was staged before. */
export async function commit(repository: Repository, draft: CommitDraft): Promise<CommitResult> {
  const [{ files, isCut }, operation] = await Promise.all([readStatus(repository), readOperation(repository)])
  if (isCut) throw HelperFailed('the repository has more changed files than can be listed: commit in a terminal')
  const chosen = chosenOf(files, draft.what)
  const conflict = files.find((file) => file.staged === 'conflicted' && !(Array.isArray(draft.what) && chosen.includes(file)))
  if (conflict) throw InTheWay(`${conflict.path}: it has conflicts: resolve them, and name the file among the paths`)
  if (chosen.length === 0 && (draft.what !== 'staged' || !files.some((file) => file.staged !== 'unmodified')) && operation === 'none')
    throw NothingToDo(draft.what === 'staged' ? 'Nothing is staged' : 'Nothing changed')
  const before = await repository.attempt({ args: ['write-tree'] })
  try {
    await stage(repository, chosen)
    return await record(repository, draft, Array.isArray(draft.what) && operation === 'none' ? chosen : undefined)
  } catch (error) {
    if (before.code === 0) await repository.attempt({ args: ['read-tree', before.out.toString('utf8').trim()], signal: undefined })
    throw error
  }
}

/** The changed files that a caller means. */
export function chosenOf(files: readonly ChangedFile[], what: CommitDraft['what']): readonly ChangedFile[] {
  if (what === 'staged') return []
  if (what === 'all') return files.filter((file) => !(file.isSubmodule && file.path.endsWith('/')))
  for (const path of what) if (!files.some((file) => isWithin(file, path))) throw BadPath(`${path}: nothing changed there`)
  return files.filter((file) => what.some((path) => isWithin(file, path)))
}

const isWithin = ({ path, oldPath }: ChangedFile, wanted: string): boolean =>
  wanted === '' || [path, oldPath].some((each) => each === wanted || each === `${wanted}/` || each?.startsWith(`${wanted}/`) === true)

/** Paths as git reads them from its input: ended by NUL, any bytes. */
export function pathList(files: readonly ChangedFile[]): Buffer {
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]))
  return Buffer.concat([...new Set(paths)].map((path) => Buffer.concat([pathBytes(path), Buffer.from([0])])))
}

// Each file by its name: `git add -A` would look into submodules, with their own configuration.
async function stage(repository: Repository, files: readonly ChangedFile[]): Promise<void> {
  if (files.length === 0) return
  await repository.git({ args: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], input: pathList(files), timeoutMs: 600_000 })
}

async function record(repository: Repository, { message, author }: CommitDraft, only: readonly ChangedFile[] | undefined): Promise<CommitResult> {
  const some = only === undefined ? [] : ['--only', '--pathspec-from-file=/run/hostreeve/git/paths', '--pathspec-file-nul']
  const { code, out, words } = await repository.attempt({
    args: ['commit', '--quiet', '--no-verify', '--no-status', '--no-gpg-sign', '--no-edit', '--cleanup=whitespace', '--file=-', ...some],
    input: Buffer.from(message),
    env: identity(author),
    ...(only !== undefined && { files: { paths: pathList(only) } }),
    timeoutMs: 600_000,
  })
  const said = `${words}${out.toString('utf8')}`
  if (code !== 0 && /nothing (?:added )?to commit|no changes added/.test(said)) throw NothingToDo('Nothing changed')
  if (code !== 0) throw gitFailure(said)
  const id = await readHead(repository)
  if (id === null) throw GitFailed('git committed nothing')
  return { commit: id, subject: (message.trimStart().split('\n')[0] ?? '').slice(0, 2000), files: await countFiles(repository, id) }
}

/** The environment that names who commits: no argument, and nothing that git would have to guess. */
export function identity({ name, email }: Author): Readonly<Record<string, string>> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

/** Who commits where nobody is named: as the repository says, else whoever asks. */
export function authorOf(repository: Repository, caller: Author): Author {
  return { name: setting(repository, 'user.name') || caller.name, email: setting(repository, 'user.email') || caller.email }
}

async function countFiles(repository: Repository, commitId: string): Promise<number> {
  const args = ['diff-tree', '--no-commit-id', '--name-only', '--root', '-r', '-z', '-m', '--first-parent', commitId]
  const { out } = await repository.git({ args, env: reads, maxBytes: 16 * 1024 * 1024, cuts: true })
  return out.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
}

/** Refuses to begin something where something else was begun. */
export async function refuseUnended(repository: Repository): Promise<void> {
  const operation: Operation = await readOperation(repository)
  if (operation !== 'none') throw InTheWay(`A ${operation.replace('_', '-')} was begun here and not ended: end it first`)
}
