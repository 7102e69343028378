import { isReserved } from '../confined/paths.ts'
import { HelperFailed } from '../problems.ts'
import { textOf } from '../paths.ts'
import { shownIn } from './names.ts'
import { GitFailed } from './problems.ts'
import { readHead } from './refs.ts'
import { reads, type Repository } from './repository.ts'

/** The change of a file. */
export type FileState =
  | 'unmodified'
  | 'modified'
  | 'added'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type_changed'
  | 'untracked'
  | 'conflicted'

/** A file that differs from the commit; paths are relative to the repository's folder, as `textOf` writes them. */
export interface ChangedFile {
  readonly path: string
  readonly oldPath?: string
  readonly staged: FileState
  readonly unstaged: FileState
  readonly isSubmodule: boolean
  /** True if the current commit does not contain it. */
  readonly isFresh: boolean
}

export interface Status {
  readonly branch: string | null
  readonly head: string | null
  readonly upstream: string | null
  readonly ahead: number
  readonly behind: number
  readonly files: readonly ChangedFile[]
  readonly isCut: boolean
}

/** Returns the complete status; fails if not all changes could be listed, as work on all of them must not leave some out. */
export async function readWholeStatus(repository: Repository): Promise<Status> {
  const status = await readStatus(repository)
  if (status.isCut)
    throw GitFailed(
      `${repository.place}: the repository has more changed files than can be listed: use a terminal`,
    )
  return status
}

/** Returns the conflicting files, as messages name them; only the first if there are many. */
export async function conflictsOf(repository: Repository): Promise<readonly string[]> {
  return namesOf(repository, ({ staged }) => staged === 'conflicted')
}

/** Returns the files with staged changes, named in the same way. */
export async function stagedIn(repository: Repository): Promise<readonly string[]> {
  return namesOf(repository, ({ staged }) => staged !== 'unmodified')
}

async function namesOf(
  repository: Repository,
  isMeant: (file: ChangedFile) => boolean,
): Promise<readonly string[]> {
  const { files } = await readStatus(repository)
  const names = files.filter(isMeant).map((file) => shownIn(repository.root, file.path))
  return names.length > 20 ? [...names.slice(0, 20), '…'] : names
}

const maxBytes = 16 * 1024 * 1024
const states: Readonly<Record<string, FileState>> = {
  '.': 'unmodified',
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'conflicted',
}

/** Maps git's letter to a state. */
export const stateOf = (letter: string | undefined): FileState => states[letter ?? ''] ?? 'modified'

/** Returns the differences from the last commit, except the panel's own folders. Submodules are examined from outside: git would run in them with their own configuration. */
export async function readStatus(repository: Repository): Promise<Status> {
  const args = [
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--ahead-behind',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
    '--find-renames',
  ]
  const { out, isCut } = await repository.git({ args, env: reads, maxBytes, cuts: true, timeoutMs: 120_000 })
  const status = parseStatus(out)
  if (status.head === null) await readHead(repository) // git status takes a damaged branch for one without a commit
  return { ...status, files: status.files.filter(({ path }) => !path.split('/').some(isReserved)), isCut }
}

/** Parses git-status(1), porcelain format version 2 with -z. A record truncated by the limit is left out. */
export function parseStatus(out: Buffer): Omit<Status, 'isCut'> {
  const parts = out
    .subarray(0, out.lastIndexOf(0) + 1)
    .toString('latin1')
    .split('\0')
    .slice(0, -1)
  const headers = new Map<string, string>()
  const files: ChangedFile[] = []
  for (let at = 0; at < parts.length; at++) {
    const line = parts[at] ?? ''
    if (line.startsWith('# '))
      headers.set(line.slice(2).split(' ', 1)[0] ?? '', text(line.slice(line.indexOf(' ', 2) + 1)))
    else if (line.startsWith('2 ')) files.push(changed(line, 9, parts[++at]))
    else
      files.push(
        line.startsWith('? ') ? untracked(line.slice(2)) : changed(line, line.startsWith('u ') ? 10 : 8),
      )
  }
  const head = headers.get('branch.head') ?? '(detached)'
  const oid = headers.get('branch.oid') ?? '(initial)'
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? []
  return {
    branch: noBranch.has(head) ? null : head,
    head: oid === '(initial)' ? null : oid,
    upstream: headers.get('branch.upstream') ?? null,
    ahead: Number(ahead),
    behind: Number(behind),
    files,
  }
}

// git shows other values if HEAD points to something that is not a branch, or to a damaged one.
const noBranch: ReadonlySet<string> = new Set(['(detached)', '(null)', '(unknown)'])

function changed(line: string, fields: number, old?: string): ChangedFile {
  const parts = line.split(' ')
  const [kind = '', letters = '', submodule = ''] = parts
  if (!['1', '2', 'u'].includes(kind) || parts.length <= fields)
    throw HelperFailed('the output of git status cannot be parsed')
  const path = text(parts.slice(fields).join(' '))
  const isConflict = kind === 'u'
  return {
    path,
    ...(old !== undefined && { oldPath: text(old) }),
    staged: isConflict ? 'conflicted' : stateOf(letters[0]),
    unstaged: isConflict ? 'conflicted' : stateOf(letters[1]),
    isSubmodule: submodule.startsWith('S'),
    isFresh: isConflict ? onlyTheirs.has(letters) : /[AC]/.test(letters),
  }
}

// git-status(1): deleted by both, added by them, deleted by us.
const onlyTheirs = new Set(['DD', 'UA', 'DU'])

function untracked(path: string): ChangedFile {
  return {
    path: text(path),
    staged: 'unmodified',
    unstaged: 'untracked',
    isSubmodule: path.endsWith('/'),
    isFresh: true,
  }
}

const text = (bytes: string): string => textOf(Buffer.from(bytes, 'latin1'))
