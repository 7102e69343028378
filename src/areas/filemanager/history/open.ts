import type { Log } from '../../../core/endpoint.ts'
import { Problem } from '../../../core/problem.ts'
import type { ListQuery } from '../../../core/reply.ts'
import { openContents } from '../../../host/contents.ts'
import { ownerProblems, pathBytes, textOf } from '../../../host/owner/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Settings } from '../../deps.ts'
import type { Users } from '../../users/index.ts'
import type { TextPath } from '../paths.ts'
import type { Files } from '../named-files.ts'
import { diffVersions } from './diff.ts'
import { History } from './history.ts'
import { defaultLimits } from './limits.ts'
import { openHistoryRecorder } from './history-recorder.ts'
import { showVersions } from './show.ts'
import { historySteps } from './steps.ts'
import { versionQueries } from './store.ts'

interface Parts {
  readonly store: Store
  readonly settings: Settings
  readonly users: Users
  readonly log: Log
  readonly filesOf: (username: string) => Promise<Files>
}

/** Opens the history of files: reads for its endpoints, its steps, and the recorder for other steps. */
// oxlint-disable-next-line max-lines-per-function -- binds parts, decides nothing
export function openHistory({ store, settings, users, log, filesOf }: Parts) {
  const queries = versionQueries(store)
  const contents = openContents(settings.dataDir === undefined ? undefined : `${settings.dataDir}/history`)
  const history = new History({
    store,
    queries,
    contents,
    limits: { ...defaultLimits, ...settings.history },
    log,
  })
  const recorder = openHistoryRecorder(history, filesOf)
  const forgetSites = async () => {
    for (const { ownerId, folderBytes } of await queries.formerSites())
      try {
        const user = await users.byId(ownerId)
        if (user?.username && (await isGone(await filesOf(user.username), folderBytes)))
          await history.versionQuota.clear(ownerId, folderBytes)
      } catch (error) {
        log.error({ err: error, user: ownerId }, 'checking the history of a removed website failed')
      }
  }
  const forgetUsers = async () => {
    for (const ownerId of await contents.owners())
      if ((await users.byId(ownerId)) === undefined) await history.versionQuota.clear(ownerId, undefined)
  }
  const logFailure = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) =>
      log.error({ err: error }, 'deleting the history of removed websites or users failed'),
    )
  // deleting a website or user deletes its history
  store.onWritten(['websites'], logFailure(forgetSites))
  store.onWritten(['users'], logFailure(forgetUsers))
  return {
    history,
    recorder,
    tidyHistory: async (now = store.trustedNow()) => {
      await forgetSites()
      return history.versionQuota.tidy(now)
    },
    historySteps: historySteps({ history, recorder, filesOf }),
    versions: async (files: Files, query: ListQuery, path?: TextPath) => {
      const { items, total } = await queries.page(
        query,
        files.userId,
        path === undefined ? undefined : pathBytes(path).toString('latin1').replace(/\/$/, ''),
      )
      return { items: await showVersions(items, users), total }
    },
    diff: (files: Files, asked: { readonly from: number; readonly to?: number }) =>
      diffVersions(history, files, asked),
  }
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
