import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import { type Content, contentPath, folderOf, mostBytes, readContent, storePath } from './content.ts'
import { readManaged } from './managed.ts'
import type { SnapshotParts } from './parts.ts'
import { NameTaken, SnapshotFailed } from './problems.ts'

interface TakeArgs {
  readonly name: string
  readonly comment: string
  readonly created_at: string
}

/** Makes the kind of step that makes a snapshot, complete or not at all. */
export function takeStep(on: SnapshotParts): StepKind<TakeArgs, null, { files: number }> {
  const { files, scratch } = on
  const countOf = async (name: string) => {
    if ((await files.facts(folderOf(on, name))) === undefined) return undefined
    return { files: (await readContent(on, name)).files.length }
  }
  return {
    name: 'snapshots.take',
    plan: ({ name }) => ({ title: `Make the snapshot ${name}` }),
    preview: async () => {
      const { length } = await readManaged(on)
      return {
        details: [`It has ${length === 1 ? '1 file' : `${length} files`}, and the store of the panel`],
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

async function take(on: SnapshotParts, { name, comment, created_at }: TakeArgs): Promise<{ files: number }> {
  const { files, directory, scratch } = on
  await files.removeTree(scratch)
  await files.makeDirectory(directory, { mode: 0o700 })
  await files.makeDirectory(scratch, { mode: 0o700 })
  try {
    const managed = await readManaged(on)
    const content: Content = { comment, created_at, version: on.version, files: [...managed] }
    const text = JSON.stringify(content)
    if (Buffer.byteLength(text) > mostBytes)
      throw SnapshotFailed('the managed files are larger than 16 MiB together')
    await files.write(contentPath(scratch), text, { rights: { mode: 0o600 } })
    await on.store.copyTo(files.real(storePath(scratch))).catch((error: unknown) => {
      throw error instanceof Problem
        ? error
        : SnapshotFailed(`the store was not copied: ${String(error).slice(0, 500)}`)
    })
    await files.move(scratch, folderOf(on, name))
    return { files: managed.length }
  } finally {
    await files.removeTree(scratch)
  }
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
