import { isStamped } from '../../host/apply/stamp.ts'
import type { ManagedFiles } from '../../tools/tool-files.ts'
import type { SnapshotParts } from './parts.ts'

/** A managed file of the host. */
export interface ManagedFile {
  /** The program that loads it, as `keyOf` names it. */
  readonly program: string
  readonly path: string
  readonly content: string
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
}: Pick<SnapshotParts, 'files' | 'managed'>): Promise<readonly ManagedFile[]> {
  const found = new Map<string, ManagedFile>()
  const isClaimed = (path: string) => managed.some(({ isOwn }) => isOwn?.(path))
  for (const each of managed) {
    const program = keyOf(each)
    const { isOwn = (path: string) => !isClaimed(path) } = each
    for (const path of (await pathsOf({ files }, each)).filter(isOwn)) {
      const isFile = !found.has(path) && (await files.facts(path))?.kind === 'file'
      const content = isFile ? await files.read(path) : undefined
      if (content === undefined) continue
      if (each.program.kind === 'edited' || isStamped(content)) found.set(path, { program, path, content })
    }
  }
  return [...found.values()]
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
