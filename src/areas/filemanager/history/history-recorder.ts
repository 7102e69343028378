import type { Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import type { History, Replaced } from './history.ts'
import type { Replacing, ReplacingMany } from './keep.ts'
import { type KeepMany, replacingMany } from './keep-many.ts'

type Replacement = Omit<Replacing, 'files'> & { readonly username: string }

/** Records the changes of steps in the history, by user name of the hosting user. */
export interface HistoryRecorder {
  /** Keeps a version of the existing file, then runs `work`, which replaces it. */
  replacing<Result extends Replaced>(
    replacement: Replacement,
    work: (owner: Owner) => Promise<Result>,
  ): Promise<Result>
  /** Like `replacing`, for work that runs long before it replaces anything: it calls `keep` just before. */
  replacingLate<Result extends Replaced>(
    replacement: Replacement,
    work: (owner: Owner, keep: () => Promise<void>) => Promise<Result>,
  ): Promise<Result>
  /** Like `replacingLate`, for work that replaces many files at once: it passes their paths to `keep`. */
  replacingMany<Result>(
    replacement: Omit<ReplacingMany, 'files'> & { readonly username: string },
    work: (owner: Owner, keeping: Keeping) => Promise<Result>,
  ): Promise<Result>
  /** Moves the history of a file or folder to its new path. */
  follow(username: string, from: TextPath, to: TextPath): Promise<void>
}

/** Keeps many files, and the size up to which the content of a file is kept. */
export interface Keeping {
  readonly maxFileBytes: number
  readonly keep: KeepMany
}

/** Opens a recorder that finds files by the user name of their hosting user. */
export function openHistoryRecorder(
  history: History,
  filesOf: (username: string) => Promise<Files>,
): HistoryRecorder {
  return {
    replacing: async ({ username, ...replacement }, work) => {
      const files = await filesOf(username)
      return history.replacing({ files, ...replacement }, () => work(files.owner))
    },
    replacingLate: async ({ username, ...replacement }, work) => {
      const files = await filesOf(username)
      return history.replacingLate({ files, ...replacement }, (keep) => work(files.owner, keep))
    },
    replacingMany: async ({ username, ...replacement }, work) => {
      const files = await filesOf(username)
      const { maxFileBytes, quotaBytes } = history.limits
      return replacingMany(history, { files, ...replacement }, quotaBytes, (keep) =>
        work(files.owner, { maxFileBytes, keep }),
      )
    },
    follow: async (username, from, to) => history.follow(await filesOf(username), from, to),
  }
}
