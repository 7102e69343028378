import { gitFailure } from './failures.ts'
import { foldersAbove, pathList, type RepositoryPath, shownIn } from './names.ts'
import { BadPath, GitFailed, InTheWay, NothingToDo } from './problems.ts'
import { type Operation, readHead, readOperation, setting } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import { type ChangedFile, readWholeStatus } from './status.ts'

/** The author and committer of a commit. */
export interface Author {
  readonly name: string
  readonly email: string
}

export interface CommitDraft {
  readonly message: string
  readonly author: Author
  /** `staged` commits the index; a folder means the changes in it. */
  readonly what: 'all' | 'staged' | readonly (string | RepositoryPath)[]
}

export interface CommitResult {
  readonly commit: string
  readonly subject: string
  readonly files: number
}

/** Commits. If that fails, the index is restored. */
export async function commit(repository: Repository, draft: CommitDraft): Promise<CommitResult> {
  const { files, operation, chosen, settled } = await committable(repository, draft.what)
  const before = await repository.attempt({ args: ['write-tree'] })
  try {
    await stage(repository, chosen)
    const isAlone = !files.some((file) => file.staged !== 'unmodified' && !settled.has(file))
    return await record(
      repository,
      draft,
      Array.isArray(draft.what) && !isJoining.has(operation) && !isAlone ? chosen : undefined,
    )
  } catch (error) {
    if (before.code === 0)
      await repository.attempt({ args: ['read-tree', before.out.toString('utf8').trim()], signal: undefined })
    throw error
  }
}

/** Returns the files that a commit would take; refuses conflicts, and an empty commit. */
export async function committable(repository: Repository, what: CommitDraft['what']) {
  const [{ files }, operation] = await Promise.all([readWholeStatus(repository), readOperation(repository)])
  const chosen = chosenOf(repository, files, what)
  const settled = new Set(Array.isArray(what) ? chosen : [])
  const conflict = files.find((file) => file.staged === 'conflicted' && !settled.has(file))
  if (conflict)
    throw InTheWay(
      `paths: ${shownIn(repository.root, conflict.path)}: it has conflicts: resolve them, and include the file in the paths`,
    )
  const staged = files.filter((file) => file.staged !== 'unmodified')
  if (chosen.length === 0 && (what !== 'staged' || staged.length === 0) && operation === 'none')
    throw NothingToDo(`${repository.place}: nothing ${what === 'staged' ? 'is staged' : 'changed'}`)
  return { files, operation, chosen, settled, taken: what === 'staged' ? staged : chosen }
}

// Operations that git commits only as a whole.
const isJoining: ReadonlySet<Operation> = new Set(['merge', 'cherry_pick', 'revert', 'rebase'])

/** Returns the changed files that a caller selected. */
export function chosenOf(
  { root }: Repository,
  files: readonly ChangedFile[],
  what: CommitDraft['what'],
): readonly ChangedFile[] {
  if (what === 'staged') return []
  const own = files.filter((file) => !isRepository(file))
  if (what === 'all') return own
  const wanted = new Map(what.map((one) => [typeof one === 'string' ? one : one.path, one]))
  const missed = new Map(wanted)
  const chosen = own.filter((file) => {
    const met = placesOf(file).filter((place) => wanted.has(place))
    for (const place of met) missed.delete(place)
    return met.length > 0
  })
  const inner = files.filter(isRepository).map(({ path }) => path)
  for (const [path, sent] of missed) {
    const isInner = inner.some((other) => `${path}/`.startsWith(other))
    throw BadPath(
      `${shownIn(root, sent)}: ${isInner ? 'it is a nested repository, or inside one: use that repository' : 'nothing changed there'}`,
    )
  }
  return chosen
}

// A nested repository that is not a submodule: its files do not belong to this repository.
const isRepository = ({ path, isSubmodule }: ChangedFile): boolean => isSubmodule && path.endsWith('/')

/** A file's paths and all folders above them, except the root, which has no name. */
function placesOf({ path, oldPath }: ChangedFile): readonly string[] {
  return [
    '',
    path,
    ...foldersAbove(path),
    ...(oldPath === undefined ? [] : [oldPath, ...foldersAbove(oldPath)]),
  ]
}

// Each file by its name: `git add -A` would enter submodules, with their own configuration.
async function stage(repository: Repository, files: readonly ChangedFile[]): Promise<void> {
  const removed = files.flatMap(({ path, oldPath, unstaged }) => [
    ...(oldPath === undefined ? [] : [oldPath]),
    ...(unstaged === 'deleted' ? [path] : []),
  ])
  const there = files.filter(({ unstaged }) => unstaged !== 'deleted').map(({ path }) => path)
  const update = async (how: readonly string[], paths: readonly string[]) => {
    if (paths.length > 0)
      await repository.git({
        args: ['update-index', ...how, '-z', '--stdin'],
        input: pathList(paths),
        timeoutMs: 600_000,
      })
  }
  await update(['--force-remove'], removed) // without lstat: a link may now be in the place of its folder
  await update(['--add', '--remove', '--replace'], there)
}

async function record(
  repository: Repository,
  { message, author }: CommitDraft,
  only: readonly ChangedFile[] | undefined,
): Promise<CommitResult> {
  const some =
    only === undefined
      ? []
      : ['--only', '--pathspec-from-file=/run/hostreeve/git/paths', '--pathspec-file-nul']
  const {
    code,
    out,
    message: output,
  } = await repository.attempt({
    args: [
      'commit',
      '--quiet',
      '--no-verify',
      '--no-status',
      '--no-gpg-sign',
      '--no-edit',
      '--cleanup=whitespace',
      '--file=-',
      ...some,
    ],
    input: Buffer.from(message),
    env: identity(author),
    ...(only !== undefined && {
      files: { paths: pathList(only.flatMap(({ path, oldPath = path }) => [oldPath, path])) },
    }),
    timeoutMs: 600_000,
  })
  const report = `${output}${out.toString('utf8')}`
  if (code !== 0 && isNothing(report)) throw NothingToDo(`${repository.place}: nothing changed`)
  if (code !== 0)
    throw gitFailure(
      report,
      /ident name|disallowed characters/.test(report) ? 'author_name: ' : `${repository.place}: `,
    )
  const id = await readHead(repository)
  if (id === null) throw GitFailed(`${repository.place}: git committed nothing`)
  return { commit: id, subject: subjectOf(message), files: await countFiles(repository, id) }
}

/** Returns true if git reports, on stdout, that there was nothing to commit. */
export const isNothing = (report: string): boolean =>
  /^(?:nothing (?:added )?to commit|no changes added to commit)/m.test(report)

/** Returns the environment that names the author: no argument, and nothing left for git to guess. */
export function identity({ name, email }: Author): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

/** Returns the author if none is given: the one in the repository's configuration, otherwise the caller. */
export function authorOf(repository: Repository, caller: Author): Author {
  return {
    name: setting(repository, 'user.name') || caller.name,
    email: setting(repository, 'user.email') || caller.email,
  }
}

// As in a list of commits: the lines up to the first empty one, joined.
function subjectOf(message: string): string {
  const [first = ''] = message.trim().split(/\n[^\S\n]*\n/)
  return first.replaceAll(/\s*\n/g, ' ').slice(0, 2000).toWellFormed()
}

async function countFiles(repository: Repository, commitId: string): Promise<number> {
  const args = [
    'diff-tree',
    '--no-commit-id',
    '--name-only',
    '--root',
    '-r',
    '-z',
    '--diff-merges=first-parent',
    commitId,
  ]
  const { out } = await repository.git({ args, env: reads, maxBytes: 16 * 1024 * 1024, cuts: true })
  return out.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
}

/** Refuses to start an operation while another one is in progress. */
export async function refuseUnended(repository: Repository): Promise<void> {
  const operation: Operation = await readOperation(repository)
  if (operation !== 'none')
    throw InTheWay(
      `${repository.place}: a ${operation === 'am' ? 'git am' : operation.replace('_', '-')} is in progress here: ${ends[operation]}`,
    )
}

const here = 'commit its result, or abort it with revert and all'
const ends: Readonly<Record<Exclude<Operation, 'none'>, string>> = {
  merge: here,
  cherry_pick: here,
  revert: here,
  rebase: 'finish it in a terminal with git rebase --continue or --abort',
  am: 'finish it in a terminal with git am --continue or --abort',
  bisect: 'finish it in a terminal with git bisect reset',
}
