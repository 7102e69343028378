import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import { type Content, contentPath, folderOf, readContent, storePath } from './content.ts'
import { mostBytes } from './large-files.ts'
import { type Managed, type ManagedFile, readManaged } from './managed.ts'
import type { SnapshotParts } from './parts.ts'
import { NameTaken, SnapshotFailed } from './problems.ts'

/** What a snapshot has: the number of its files, and the paths of those that were too large for it. */
interface Taken {
  readonly files: number
  readonly left_out: string[]
}

interface TakeArgs {
  readonly name: string
  readonly comment: string
  readonly created_at: string
}

/** Makes the kind of step that makes a snapshot, complete or not at all. */
export function takeStep(on: SnapshotParts): StepKind<TakeArgs, null, Taken> {
  const { files, scratch } = on
  const countOf = async (name: string) => {
    if ((await files.facts(folderOf(on, name))) === undefined) return undefined
    return takenOf(await readContent(on, name))
  }
  return {
    name: 'snapshots.take',
    plan: ({ name }) => ({ title: `Make the snapshot ${name}` }),
    preview: async () => {
      const { files: kept, left_out } = fitting(await readManaged(on))
      return {
        details: [
          `It has ${kept.length === 1 ? '1 file' : `${kept.length} files`}, and the store of the panel`,
          ...left_out.map((path) => `${path} is too large for it, and left out`),
        ],
      }
    },
    observe: async ({ name }) => {
      if (await files.facts(folderOf(on, name))) throw NameTaken(`name: there is a snapshot ${name} already`)
      return null
    },
    act: (args) => take(on, args),
    undo: async ({ name }) => {
      await files.removeTree(scratch)
      await files.removeTree(folderOf(on, name))
    },
    check: async ({ name }) => ((await files.facts(folderOf(on, name))) ? 'wanted' : 'before'),
    again: ({ name }) => countOf(name),
    recover: () => files.removeTree(scratch),
    notUndone: 'a snapshot is deleted on its own',
  }
}

async function take(on: SnapshotParts, { name, comment, created_at }: TakeArgs): Promise<Taken> {
  const { files, directory, scratch } = on
  await files.removeTree(scratch)
  await files.makeDirectory(directory, { mode: 0o700 })
  await files.makeDirectory(scratch, { mode: 0o700 })
  try {
    const content: Content = { comment, created_at, version: on.version, ...fitting(await readManaged(on)) }
    await files.write(contentPath(scratch), JSON.stringify(content), ownerOnly)
    // SQLite writes its copy into an empty file as it is, and would make one that everybody may read
    await files.write(storePath(scratch), '', ownerOnly)
    await on.store.copyTo(files.real(storePath(scratch))).catch((error: unknown) => {
      throw error instanceof Problem
        ? error
        : SnapshotFailed(`the store was not copied: ${String(error).slice(0, 500)}`)
    })
    await files.move(scratch, folderOf(on, name))
    return takenOf(content)
  } finally {
    await files.removeTree(scratch)
  }
}

const ownerOnly = { rights: { mode: 0o600 } }

const takenOf = ({ files, left_out = [] }: Content): Taken => ({ files: files.length, left_out })

/** Room for the rest of the file in which a snapshot has its files. */
const overheadBytes = 64 * 1024

/** Leaves out files that are too large, and the largest until the others fit into a file that the panel can read. */
function fitting({ files, large }: Managed): Required<Pick<Content, 'files' | 'left_out'>> {
  const sizes = new Map(files.map((file) => [file, Buffer.byteLength(JSON.stringify(file)) + 1]))
  const sizeOf = (file: ManagedFile) => sizes.get(file) ?? 0
  const left = new Set(large.map(({ path }) => path))
  let total = files.reduce((sum, file) => sum + sizeOf(file), 0)
  for (const file of files.toSorted((one, other) => sizeOf(other) - sizeOf(one))) {
    if (total <= mostBytes - overheadBytes) break
    left.add(file.path)
    total -= sizeOf(file)
  }
  return { files: files.filter(({ path }) => !left.has(path)), left_out: [...left].toSorted() }
}

/** Makes the kind of step that deletes a snapshot. */
export function dropStep(on: SnapshotParts) {
  return finalStep<{ readonly name: string }>({
    name: 'snapshots.drop',
    plan: ({ name }) => ({ title: `Delete the snapshot ${name}` }),
    why: 'a deleted snapshot is gone',
    act: async ({ name }) => {
      await on.files.removeTree(folderOf(on, name))
      return null
    },
    isDone: async ({ name }) => (await on.files.facts(folderOf(on, name))) === undefined,
  })
}
