import type { Readable } from 'node:stream'
import { Problem } from '../../../core/problem.ts'
import type { StepKind } from '../../../core/change.ts'
import { type FileStat, type Owner, ownerProblems } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { uploadLimitBytes } from '../model.ts'
import { diffOfWriting } from '../history/diff.ts'
import { counted, firstOf } from '../count-text.ts'
import { namesOf, type TextPath } from '../paths.ts'
import { placeOf, reachOf } from './plan-text.ts'

interface PathArgs {
  readonly username: string
  readonly path: TextPath
}

export interface WriteArgs extends PathArgs {
  readonly ifMatch?: string
  readonly ifAbsent?: boolean
  /** The panel user to record in the history. */
  readonly by?: number
}

interface WriteBefore {
  readonly etag: string | null
}

export interface WriteResult {
  readonly etag: string
  readonly size: number
  readonly created: boolean
}

interface RemoveArgs {
  readonly username: string
  readonly paths: readonly TextPath[]
  readonly trash: boolean
}

export type OwnerOf = (username: string) => Promise<Owner>

/** Returns the steps on a hosting user's files. Each is atomic: the helper writes a temporary file next to the destination and renames it at the end. */
export function fileSteps(ownerOf: OwnerOf, recorder: HistoryRecorder) {
  return { write: write(ownerOf, recorder), mkdir: mkdir(ownerOf), remove: remove(ownerOf) }
}

function write(
  ownerOf: OwnerOf,
  recorder: HistoryRecorder,
): StepKind<WriteArgs, WriteBefore, WriteResult, Readable | Uint8Array> {
  const etagOf = async ({ username, path }: PathArgs) =>
    (await found(await ownerOf(username), path))?.etag ?? null
  return {
    name: 'filemanager.write',
    plan: ({ username, path }) => ({
      title: `Write ${path.path} in the home of ${username}`,
      irreversible:
        'the former content is kept in the history alone, and only of files that are not too large',
    }),
    preview: async (args, live) => {
      const { username, path } = args
      const owner = await ownerOf(username)
      const placed = await owner.preview((one) => one.write(path, new Uint8Array(), mindsOf(args)))
      const diff = live instanceof Uint8Array ? await diffOfWriting(owner, path, live) : undefined
      return {
        details: [placeOf(placed)],
        ...(diff !== undefined && { files: [{ path: path.path, diff }] }),
        ...(placed.replaced === undefined && { irreversible: undefined }),
      }
    },
    observe: async (args) => ({ etag: await etagOf(args) }),
    act: async (args, { live, signal }) => {
      const { username, path, by = null } = args
      const isAtHand = live instanceof Uint8Array
      return recorder.replacingLate(
        { username, path, by, through: isAtHand ? 'write' : 'upload', ...(isAtHand && { content: live }) },
        (owner, keep) =>
          owner.write(path, live, {
            maxBytes: uploadLimitBytes,
            signal,
            beforeTransfer: keep,
            ...mindsOf(args),
          }),
      )
    },
    undo: async () => {}, // an incomplete file is never renamed to its destination
    notUndone: 'only the history has the former content: restore the version there',
    check: async (args, before) => ((await etagOf(args)) === before.etag ? 'before' : 'wanted'),
  }
}

function mindsOf({ ifMatch, ifAbsent }: WriteArgs) {
  return { ...(ifMatch !== undefined && { ifMatch }), ...(ifAbsent && { ifAbsent }) }
}

interface MkdirArgs extends PathArgs {
  readonly recursive: boolean
}

function mkdir(ownerOf: OwnerOf): StepKind<MkdirArgs, { readonly missing: readonly TextPath[] }, FileStat> {
  const missing = async ({ username, path }: PathArgs): Promise<readonly TextPath[]> => {
    const owner = await ownerOf(username)
    if ((await found(owner, path)) !== undefined) return []
    const paths = withParents(path)
    let present = 0
    while (present < paths.length - 1 && (await found(owner, paths[present]!)) !== undefined) present++
    return paths.slice(present)
  }
  return {
    name: 'filemanager.mkdir',
    plan: ({ username, path }) => ({ title: `Make the folder ${path.path} in the home of ${username}` }),
    preview: async ({ username, path, recursive }) => {
      const { entries } = await (await ownerOf(username)).preview((one) => one.mkdir(path, { recursive }))
      return {
        details: [entries === 0 ? 'The folder is there already' : `Makes ${counted(entries, 'folder')}`],
      }
    },
    observe: async (args) => ({ missing: await missing(args) }),
    act: async ({ username, path, recursive }) => {
      const owner = await ownerOf(username)
      await owner.mkdir(path, { recursive })
      return owner.stat(path)
    },
    undo: async ({ username }, before) => {
      const owner = await ownerOf(username)
      for (const path of before.missing.toReversed()) if (!(await removedIfEmpty(owner, path))) return
    },
    check: async (args, before) => {
      const left = await missing(args)
      if (left.length === 0) return 'wanted'
      return left.length === before.missing.length ? 'before' : 'other'
    },
  }
}

/** A path and the folders above it, the outermost first. */
function withParents({ field, path }: TextPath): readonly TextPath[] {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((_, at) => ({ field, path: names.slice(0, at + 1).join('/') }))
}

/** Whether nothing is left at the path; a folder into which something was put stays, as does a file. */
async function removedIfEmpty(owner: Owner, path: TextPath): Promise<boolean> {
  const present = await found(owner, path)
  if (present?.type !== 'folder') return present === undefined
  try {
    await owner.remove([path])
    return true
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.FolderNotEmpty) return false
    throw error
  }
}

function remove(ownerOf: OwnerOf): StepKind<RemoveArgs, null, { readonly removed: number }> {
  return {
    name: 'filemanager.remove',
    plan: ({ username, paths, trash }) => {
      const what = `${namesOf(paths)} of the home of ${username}`
      if (!trash)
        return {
          title: `Remove ${what}, folders with everything in them`,
          irreversible: 'what is removed is gone for good',
        }
      return {
        title: `Move ${what} to the trash`,
        ...(paths.length > 1 && {
          irreversible: 'what is thrown away before one that fails stays in the trash',
        }),
      }
    },
    preview: async ({ username, paths, trash }) => {
      const removed = await (
        await ownerOf(username)
      ).preview((one) => one.remove(paths, { recursive: true, trash }))
      return {
        details: [
          `${trash ? 'Throws away' : 'Removes'} ${firstOf(removed.paths, paths.length)}: ${reachOf(removed)}`,
        ],
      }
    },
    observe: async () => null,
    act: async ({ username, paths, trash }, { signal }) =>
      (await ownerOf(username)).remove(paths, { recursive: true, trash, signal }),
    undo: async () => {}, // a deletion cannot be undone: the plan says so
    notUndone: ({ trash }) =>
      trash ? 'restore the files from the trash' : 'deleted files cannot be restored',
    check: async ({ username, paths }) => {
      const owner = await ownerOf(username)
      const rest = await Promise.all(paths.map((path) => found(owner, path)))
      return rest.every((stat) => stat === undefined) ? 'wanted' : 'other'
    },
  }
}

/** Returns the entry at a path; undefined if there is none. */
export async function found(owner: Owner, path: TextPath) {
  try {
    return await owner.stat(path)
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return undefined
    throw error
  }
}
