import type { Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { History, Replaced } from './history.ts'
import type { Replacing, ReplacingMany } from './keep.ts'
import { type KeepMany, replacingMany } from './keep-many.ts'

type Asked = Omit<Replacing, 'files'> & { readonly username: string }

/** What the steps tell the history of, by the name of the account. */
export interface HistoryRecorder {
  /** Keeps what stands at the path, then does the work on it. */
  replacing<Result extends Replaced>(asked: Asked, work: (owner: Owner) => Promise<Result>): Promise<Result>
  /** The same for work that takes long before it replaces anything: it calls `keep` just before. */
  replacingLate<Result extends Replaced>(
    asked: Asked,
    work: (owner: Owner, keep: () => Promise<void>) => Promise<Result>,
  ): Promise<Result>
  /** The same for work that replaces many files at once: it names them in `keep` just before. */
  replacingMany<Result>(
    asked: Omit<ReplacingMany, 'files'> & { readonly username: string },
    work: (owner: Owner, keeping: Keeping) => Promise<Result>,
  ): Promise<Result>
  /** Lets the history of a file or folder follow it. */
  follow(username: string, from: TextPath, to: TextPath): Promise<void>
}

/** What keeps many files, and how large one may be for its content to be kept. */
export interface Keeping {
  readonly maxFileBytes: number
  readonly keep: KeepMany
}

/** Binds the history to the accounts of this host. */
export function openHistoryRecorder(
  history: History,
  filesOf: (username: string) => Promise<Files>,
): HistoryRecorder {
  return {
    replacing: async ({ username, ...asked }, work) => {
      const files = await filesOf(username)
      return history.replacing({ files, ...asked }, () => work(files.owner))
    },
    replacingLate: async ({ username, ...asked }, work) => {
      const files = await filesOf(username)
      return history.replacingLate({ files, ...asked }, (keep) => work(files.owner, keep))
    },
    replacingMany: async ({ username, ...asked }, work) => {
      const files = await filesOf(username)
      const { maxFileBytes, quotaBytes } = history.limits
      return replacingMany(history, { files, ...asked }, quotaBytes, (keep) =>
        work(files.owner, { maxFileBytes, keep }),
      )
    },
    follow: async (username, from, to) => history.follow(await filesOf(username), from, to),
  }
}
