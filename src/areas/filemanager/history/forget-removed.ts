import type { Log } from '../../../core/endpoint.ts'
import { Problem } from '../../../core/problem.ts'
import type { Contents } from '../../../host/contents.ts'
import { ownerProblems, textOf } from '../../../host/owner/index.ts'
import type { Store } from '../../../store/store.ts'
import { findUser, type Users } from '../../users/index.ts'
import type { Files } from '../named-files.ts'
import type { History } from './history.ts'
import type { VersionQueries } from './store.ts'

interface Parts {
  readonly history: History
  readonly versions: VersionQueries
  readonly contents: Contents
  readonly users: Users
  readonly log: Log
  readonly filesOf: (username: string) => Promise<Files>
}

/** Deletes the history of websites and users as soon as they are deleted. */
export function forgetWhenRemoved(store: Store, parts: Parts): void {
  const logFailure = (work: (parts: Parts) => Promise<void>) => () =>
    void work(parts).catch((error: unknown) =>
      parts.log.error({ err: error }, 'deleting the history of removed websites or users failed'),
    )
  store.onWritten(['websites'], logFailure(forgetSites))
  store.onWritten(['users'], logFailure(forgetUsers))
}

/** Deletes the history of websites that no longer exist and whose folder is gone. */
export async function forgetSites({ history, versions, users, log, filesOf }: Parts): Promise<void> {
  for (const { ownerId, folderBytes } of await versions.formerSites())
    try {
      const user = await findUser(users, ownerId)
      if (user?.username && (await isGone(await filesOf(user.username), folderBytes)))
        await history.versionQuota.clear(ownerId, folderBytes)
    } catch (error) {
      log.error({ err: error, user: ownerId }, 'checking the history of a removed website failed')
    }
}

async function forgetUsers({ history, contents, users }: Parts): Promise<void> {
  for (const ownerId of await contents.owners())
    if ((await findUser(users, ownerId)) === undefined) await history.versionQuota.clear(ownerId, undefined)
}

async function isGone({ owner }: Files, folderBytes: string): Promise<boolean> {
  try {
    await owner.stat(textOf(Buffer.from(folderBytes, 'latin1')))
    return false
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return true
    throw error
  }
}
