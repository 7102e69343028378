import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { mostBytes } from './large-files.ts'
import type { SnapshotParts } from './parts.ts'
import { SnapshotMissing, SnapshotUnfit } from './problems.ts'

/** What `files.json` of a snapshot contains. */
const Content = Type.Object({
  comment: Type.String(),
  created_at: Type.String(),
  version: Type.String(),
  files: Type.Array(Type.Object({ program: Type.String(), path: Type.String(), content: Type.String() })),
  /** The paths of managed files that were too large for it; absent in snapshots of earlier versions. */
  left_out: Type.Optional(Type.Array(Type.String())),
})
export type Content = Static<typeof Content>

export const folderOf = ({ directory }: Pick<SnapshotParts, 'directory'>, name: string): string =>
  `${directory}/${name}`
export const contentPath = (folder: string): string => `${folder}/files.json`
export const storePath = (folder: string): string => `${folder}/store.db`

/** Reads a snapshot; throws SnapshotMissing or, for one that cannot be read, SnapshotUnfit. */
export async function readContent(
  on: Pick<SnapshotParts, 'files' | 'directory'>,
  name: string,
): Promise<Content> {
  const path = contentPath(folderOf(on, name))
  const isLarge = ((await on.files.facts(path))?.sizeBytes ?? 0) > mostBytes
  const text = isLarge ? '' : await on.files.read(path)
  if (text === undefined) throw SnapshotMissing(`name: there is no snapshot ${name}`)
  const content = parse(text)
  if (content === undefined) throw SnapshotUnfit(`name: the files of the snapshot ${name} cannot be read`)
  return content
}

function parse(text: string): Content | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Check(Content, parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
