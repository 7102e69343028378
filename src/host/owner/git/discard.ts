import type { Asking } from '../asking.ts'
import { pathBytes, toBytes } from '../paths.ts'
import { replies } from '../replies.ts'
import { chosenOf, type CommitDraft } from './commit.ts'
import { foldersAbove, namesIn, pathList } from './names.ts'
import { heldBy } from './failures.ts'
import { InTheWay, NothingToDo } from './problems.ts'
import { gitFolder, type Operation, readHead, readOperation } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import type { Reverted } from './revert.ts'
import { runGit } from './run.ts'
import { type ChangedFile, readWholeStatus } from './status.ts'

const timeoutMs = 600_000
const maxBytes = 64 * 1024 * 1024

/**
 * Restores files to the last commit. Files that are in no commit go to the trash, as does anything in the way of restored files. If all
 * files are discarded, a merge, cherry-pick or revert in progress ends, too.
 */
export async function discard(
  repository: Repository,
  what: Exclude<CommitDraft['what'], 'staged'>,
  asking: Asking,
  signal?: AbortSignal,
): Promise<Reverted> {
  const { chosen, ends, fresh, known } = await discardable(repository, what)
  const renamed = known.filter((file) => file.oldPath !== undefined)
  const thrown = await presentOf(repository, [...fresh, ...renamed])
  await throwAway(repository, thrown, asking, signal)
  const back = known.map(({ path, oldPath = path }) => oldPath)
  await resetIndex(
    repository,
    chosen.filter((file) => file.unstaged !== 'untracked'),
  )
  const blocking = await blockingAt(repository, back)
  await throwAway(repository, blocking, asking, signal)
  if (back.length > 0)
    await repository.git({
      args: ['checkout-index', '--force', '--index', '--quiet', '-z', '--stdin'],
      input: pathList(back),
      timeoutMs,
    })
  if (ends !== undefined) await repository.git({ args: [ends, '--quit'] })
  return { commit: null, discarded: known.length, trashed: thrown.length + blocking.length }
}

/** Returns the files that would be discarded; refuses if there are none, and if another git is at work. */
export async function discardable(repository: Repository, what: Exclude<CommitDraft['what'], 'staged'>) {
  const [{ files }, operation] = await Promise.all([readWholeStatus(repository), readOperation(repository)])
  const chosen = chosenOf(repository, files, what)
  const ends = what === 'all' && isEnded.has(operation) ? operation.replace('_', '-') : undefined
  if (chosen.length === 0 && ends === undefined) throw NothingToDo(`${repository.place}: nothing changed`)
  await refuseLocked(repository)
  return {
    chosen,
    ends,
    fresh: chosen.filter((file) => file.isFresh),
    known: chosen.filter((file) => !file.isFresh),
  }
}

const isEnded: ReadonlySet<Operation> = new Set(['merge', 'cherry_pick', 'revert'])

// Before the first file goes to the trash: git would report the lock only when it writes the index.
async function refuseLocked(repository: Repository): Promise<void> {
  const lock = `${await gitFolder(repository)}/index.lock`
  if ((await runGit(repository.account, { args: ['-e', lock] }, '/usr/bin/test')).code !== 0) return
  throw InTheWay(`${repository.place}: ${heldBy(lock.replace(/^\.\//, ''))}`)
}

/** The paths of files that exist in the folder. Conflicting files may exist or not: the index has to be read. */
async function presentOf(repository: Repository, files: readonly ChangedFile[]): Promise<readonly string[]> {
  const there = files.filter((file) => file.unstaged !== 'deleted')
  if (!there.some((file) => file.staged === 'conflicted')) return there.map(({ path }) => path)
  const { out } = await repository.git({ args: ['ls-files', '--deleted', '-z'], env: reads, maxBytes })
  const missing = new Set(namesIn(out))
  return there.map(({ path }) => path).filter((path) => !missing.has(path))
}

async function throwAway(
  { root }: Repository,
  paths: readonly string[],
  asking: Asking,
  signal?: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return
  await asking.ask({
    request: {
      op: 'remove',
      paths: paths.map((path) => toBytes(root === '' ? path : `${root}/${path}`)),
      recursive: true,
      trash: true,
    },
    reply: replies.removed,
    about: root,
    signal,
    onNote: () => {},
  })
}

/** Resets index entries to the last commit. In one pass: given many paths, git-reset(1) compares each with each. */
async function resetIndex(repository: Repository, files: readonly ChangedFile[]): Promise<void> {
  if (files.length === 0) return
  const paths = new Set(files.flatMap(({ path, oldPath = path }) => [oldPath, path]))
  const committed = await committedAt(repository, paths)
  const others = pathList([...paths].filter((path) => !committed.has(path)))
  await repository.git({
    args: ['update-index', '--force-remove', '-z', '--stdin'],
    input: others,
    timeoutMs,
  })
  const lines = [...committed].map(([path, entry]) =>
    Buffer.concat([Buffer.from(`${entry}\t`), pathBytes(path), Buffer.from([0])]),
  )
  await repository.git({
    args: ['update-index', '-z', '--index-info'],
    input: Buffer.concat(lines),
    timeoutMs,
  })
}

/** Mode and id of the selected files that are in the last commit. */
async function committedAt(
  repository: Repository,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const head = await readHead(repository)
  if (head === null) return new Map()
  const { out } = await repository.git({
    args: ['ls-tree', '-r', '-z', '--full-tree', head],
    env: reads,
    maxBytes,
  })
  const rows = namesIn(out).map((row): readonly [string, string] => {
    const [mode = '', , id = ''] = row.slice(0, row.indexOf('\t')).split(' ')
    return [row.slice(row.indexOf('\t') + 1), `${mode} ${id}`]
  })
  return new Map(rows.filter(([path]) => paths.has(path)))
}

/** Entries in the way of restored files: a folder in the place of a file, or a file or link in the place of a parent folder. */
async function blockingAt(repository: Repository, back: readonly string[]): Promise<readonly string[]> {
  if (back.length === 0) return []
  const { out } = await repository.git({ args: ['ls-files', '--killed', '-z'], env: reads, maxBytes })
  const killed = namesIn(out)
  if (killed.length === 0) return []
  const files = new Set(back)
  const above = new Set(back.flatMap(foldersAbove))
  const met = killed.flatMap((path) =>
    above.has(path) ? [path] : foldersAbove(path).filter((folder) => files.has(folder)),
  )
  return [...new Set(met)]
}
