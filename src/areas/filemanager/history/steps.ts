import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { Problem } from '../../../core/problem.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import { counted } from '../count-text.ts'
import type { TextPath } from '../paths.ts'
import { found, type WriteResult } from '../steps/files.ts'
import { diffOfRestore } from './diff.ts'
import type { Files } from '../named-files.ts'
import type { History } from './history.ts'
import type { HistoryRecorder } from './history-recorder.ts'

export interface RestoreArgs {
  readonly username: string
  readonly path: TextPath
  readonly id: number
  readonly by: number
  readonly ifMatch?: string
}

interface ClearArgs {
  readonly username: string
  readonly path: TextPath | null
}

export interface ClearResult {
  readonly versions: number
  readonly freedBytes: number
}

interface Doors {
  readonly history: History
  readonly recorder: HistoryRecorder
  readonly filesOf: (username: string) => Promise<Files>
}

/** Returns the steps on versions of files. */
export function historySteps(doors: Doors) {
  return { restoreVersion: restore(doors), clearHistory: clear(doors) }
}

function restore({
  history,
  recorder,
  filesOf,
}: Doors): StepKind<RestoreArgs, { readonly etag: string | null }, WriteResult> {
  const etagOf = async ({ username, path }: RestoreArgs) =>
    (await found((await filesOf(username)).owner, path))?.etag ?? null
  return {
    name: 'filemanager.restore-version',
    plan: async ({ username, path, id }) => {
      const files = await filesOf(username)
      const diff = await diffOfRestore(history, files, await history.version(files, id))
      const title = `Give ${path.path} in the home of ${username} the content of its version ${id} again`
      return { title, ...(diff !== undefined && { files: [{ path: path.path, diff }] }) }
    },
    observe: async (args) => ({ etag: await etagOf(args) }),
    act: async (args, { signal }) => {
      const { username, path, id, by, ifMatch } = args
      const version = await history.version(await filesOf(username), id)
      const content = await history.contentOf(version)
      return recorder.replacing({ username, path, by, through: 'restore', content }, (owner) =>
        writeBack(owner, path, content, {
          mode: version.mode,
          signal,
          ...(ifMatch !== undefined && { ifMatch }),
        }),
      )
    },
    undo: async () => {}, // an incomplete file is never renamed to its destination
    notUndone: 'only the history has the former content: restore the version there',
    check: async (args, before) => ((await etagOf(args)) === before.etag ? 'before' : 'wanted'),
  }
}

interface Back {
  readonly mode: number
  readonly signal: AbortSignal
  readonly ifMatch?: string
}

// The folder of a deleted file may be deleted too.
async function writeBack(owner: Owner, path: TextPath, content: Buffer, options: Back): Promise<WriteResult> {
  try {
    return await owner.write(path, content, options)
  } catch (error) {
    const folder = path.path.split('/').slice(0, -1).join('/')
    if (!(error instanceof Problem) || error.kind !== ownerProblems.NoSuchFile || folder === '') throw error
    await owner.mkdir({ field: path.field, path: folder }, { recursive: true })
    return owner.write(path, content, options)
  }
}

function clear({ history, filesOf }: Doors): StepKind<ClearArgs, { readonly versions: number }, ClearResult> {
  const clearable = async ({ username, path }: ClearArgs) =>
    history.clearable(await filesOf(username), path ?? undefined)
  return finalStep({
    name: 'filemanager.clear-history',
    plan: ({ username, path }) => ({
      title:
        path === null
          ? `Forget the history of every file of ${username}`
          : `Forget the history of ${path.path} of ${username}, and of all below it`,
    }),
    why: 'the versions are gone for good',
    preview: async (args) => {
      const { versions, freedBytes } = await clearable(args)
      if (versions === 0) return { details: ['There are no versions to forget'] }
      return {
        details: [
          `Removes ${counted(versions, 'version')}, which gives back ${counted(freedBytes, 'byte')} of the room that the history takes`,
        ],
      }
    },
    observe: async (args) => ({ versions: (await clearable(args)).versions }),
    act: async ({ username, path }) => history.clear(await filesOf(username), path ?? undefined),
    isDone: async (args, before) => {
      const { versions } = await clearable(args)
      return versions > 0 && versions < before.versions ? undefined : versions === 0
    },
  })
}
