import type { Owner } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../whose-files.ts'
import type { History, Replacing } from './history.ts'

/** What the steps tell the history of, by the name of the account. */
export interface Past {
  /** Keeps what stands at the path, then does the work on it. */
  replacing<Result extends { readonly etag?: string } | void>(
    asked: Omit<Replacing, 'files'> & { readonly username: string },
    work: (owner: Owner) => Promise<Result>,
  ): Promise<Result>
  /** Lets the history of a file or folder follow it. */
  follow(username: string, from: TextPath, to: TextPath): Promise<void>
}

/** Binds the history to the accounts of this host. */
export function openPast(history: History, filesOf: (username: string) => Promise<Files>): Past {
  return {
    replacing: async ({ username, ...asked }, work) => {
      const files = await filesOf(username)
      return history.replacing({ files, ...asked }, () => work(files.owner))
    },
    follow: async (username, from, to) => history.follow(await filesOf(username), from, to),
  }
}
