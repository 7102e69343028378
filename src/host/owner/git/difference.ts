import { textOf } from '../paths.ts'
import { emptyTree, readHead, resolveCommit } from './refs.ts'
import { reads, type Repository } from './repository.ts'
import { type FileState, stateOf } from './status.ts'

export interface FileDifference {
  readonly path: string
  readonly oldPath?: string
  readonly state: FileState
  /** Lines; null for binary files. */
  readonly additions: number | null
  readonly deletions: number | null
}

export interface Difference {
  readonly files: readonly FileDifference[]
  readonly patch: string
  readonly isCut: boolean
}

export interface DiffOptions {
  readonly from?: string
  readonly to?: string
  /** Compares the index, not the folder. */
  readonly staged?: boolean
  readonly file?: string
  readonly context: number
}

const maxFiles = 5000
const maxPatchBytes = 1024 * 1024
const plain = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--find-renames',
  '--no-relative',
]

/** Returns the differences between two commits, or between one and the folder or the index. Runs no program but git, whatever the attributes say. */
export async function readDifference(repository: Repository, options: DiffOptions): Promise<Difference> {
  return differenceOf(repository, await sidesOf(repository, options), options)
}

/** The same for two revisions that are known to exist. */
export async function differenceOf(
  repository: Repository,
  sides: readonly string[],
  { file, context }: Pick<DiffOptions, 'file' | 'context'>,
): Promise<Difference> {
  const rest = [...sides, '--', ...(file === undefined ? [] : [file])]
  const [list, patch] = await Promise.all([
    repository.git({
      args: ['diff', ...plain, '--raw', '--numstat', '--abbrev=40', '-z', ...rest],
      env: reads,
      maxBytes: 8 * 1024 * 1024,
      cuts: true,
    }),
    repository.git({
      args: [
        'diff',
        ...plain,
        '--patch',
        `--unified=${context}`,
        '--src-prefix=a/',
        '--dst-prefix=b/',
        ...rest,
      ],
      env: reads,
      maxBytes: maxPatchBytes,
      cuts: true,
    }),
  ])
  const files = parseDifference(list.out)
  return {
    files: files.slice(0, maxFiles),
    patch: patch.out.toString('utf8'),
    isCut: list.isCut || patch.isCut || files.length > maxFiles,
  }
}

async function sidesOf(
  repository: Repository,
  { from, to, staged = false }: DiffOptions,
): Promise<readonly string[]> {
  if (from !== undefined || to !== undefined) {
    const first = from === undefined ? [] : [resolveCommit(repository, from, 'from')]
    return Promise.all([...first, ...(to === undefined ? [] : [resolveCommit(repository, to, 'to')])])
  }
  if (staged) return ['--cached']
  return [(await readHead(repository)) === null ? await emptyTree(repository) : 'HEAD']
}

/** Parses `git diff --raw --numstat -z`: first a record for each file with its state, then one with its line counts. */
export function parseDifference(out: Buffer): readonly FileDifference[] {
  const parts = out.toString('latin1').split('\0').slice(0, -1)
  const found = new Map<string, FileDifference>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    if (part.startsWith(':')) {
      const letter = part.split(' ').at(-1)?.[0]
      const hasTwo = letter === 'R' || letter === 'C'
      const oldPath = hasTwo ? parts[++at] : undefined
      const path = parts[++at] ?? ''
      found.set(path, {
        path: text(path),
        ...(oldPath !== undefined && { oldPath: text(oldPath) }),
        state: stateOf(letter),
        additions: null,
        deletions: null,
      })
      continue
    }
    const [added = '-', deleted = '-', ...rest] = part.split('\t')
    const inline = rest.join('\t')
    if (inline === '') at++ // a renamed file: its two names follow
    const path = inline === '' ? (parts[++at] ?? '') : inline
    const known = found.get(path)
    if (known) found.set(path, { ...known, additions: count(added), deletions: count(deleted) })
  }
  return [...found.values()]
}

const count = (word: string): number | null => (/^\d+$/.test(word) ? Number(word) : null)
const text = (bytes: string): string => textOf(Buffer.from(bytes, 'latin1'))
