import { isStamped } from '../../host/apply/stamp.ts'
import type { ManagedFiles } from '../../tools/tool-files.ts'
import { mostBytes, readBeginning } from './large-files.ts'
import type { SnapshotParts } from './parts.ts'

/** A managed file of the host. */
export interface ManagedFile {
  /** The program that loads it, as `keyOf` names it. */
  readonly program: string
  readonly path: string
  readonly content: string
}

/** A managed file that is too large to be read whole. */
export interface LargeFile extends Omit<ManagedFile, 'content'> {
  readonly sizeBytes: number
}

export interface Managed {
  readonly files: readonly ManagedFile[]
  readonly large: readonly LargeFile[]
}

/** The name under which a snapshot stores the files of a program. */
export const keyOf = ({ program }: Pick<ManagedFiles, 'program'>): string =>
  program.kind === 'owned' ? program.name : `${program.name} ${program.path}`

/** Returns the program of this key; undefined if the panel has none any more. */
export const programOf = (
  { managed }: Pick<SnapshotParts, 'managed'>,
  key: string,
): ManagedFiles | undefined => managed.find((each) => keyOf(each) === key)

/** Reads every file that the panel manages. */
export async function readManaged({
  files,
  managed,
}: Pick<SnapshotParts, 'files' | 'managed'>): Promise<Managed> {
  const found = new Map<string, ManagedFile | LargeFile>()
  const isClaimed = (path: string) => managed.some(({ isOwn }) => isOwn?.(path))
  for (const each of managed) {
    const { isOwn = (path: string) => !isClaimed(path) } = each
    for (const path of (await pathsOf({ files }, each)).filter(isOwn)) {
      const file = found.has(path) ? undefined : await readFile({ files }, each, path)
      if (file !== undefined) found.set(path, file)
    }
  }
  const all = [...found.values()]
  return {
    files: all.filter((file) => 'content' in file),
    large: all.filter((file) => 'sizeBytes' in file),
  }
}

/** Undefined for a file that is not of the panel. */
async function readFile(
  { files }: Pick<SnapshotParts, 'files'>,
  managed: ManagedFiles,
  path: string,
): Promise<ManagedFile | LargeFile | undefined> {
  const facts = await files.facts(path)
  if (facts?.kind !== 'file') return undefined
  const isOfPanel = (beginning: string) => managed.program.kind === 'edited' || isStamped(beginning)
  const program = keyOf(managed)
  if (facts.sizeBytes > mostBytes)
    return isOfPanel(await readBeginning(files, path))
      ? { program, path, sizeBytes: facts.sizeBytes }
      : undefined
  const content = await files.read(path)
  return content !== undefined && isOfPanel(content) ? { program, path, content } : undefined
}

async function pathsOf(
  { files }: Pick<SnapshotParts, 'files'>,
  { program }: ManagedFiles,
): Promise<readonly string[]> {
  if (program.kind === 'edited') return [program.path]
  const paths: string[] = []
  for (const directory of new Set(program.directories))
    for (const name of await files.list(directory)) paths.push(`${directory}/${name}`)
  return paths.filter((path) => path !== program.generation.path)
}
