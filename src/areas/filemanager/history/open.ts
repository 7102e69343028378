import type { Log } from '../../../core/endpoint.ts'
import { openContents } from '../../../host/contents.ts'
import type { Store } from '../../../store/store.ts'
import type { Settings } from '../../deps.ts'
import type { Users } from '../../users/index.ts'
import type { Files } from '../named-files.ts'
import { forgetWhenRemoved } from './forget-removed.ts'
import { History } from './history.ts'
import { openHistoryRecorder } from './history-recorder.ts'
import { defaultLimits } from './limits.ts'
import { versionQueries } from './store.ts'

interface Parts {
  readonly store: Store
  readonly settings: Settings
  readonly users: Users
  readonly log: Log
  readonly filesOf: (username: string) => Promise<Files>
}

/** Binds the history of files, and the recorder for the steps that replace files, to the store and the data folder. */
export function openHistory({ store, settings, users, log, filesOf }: Parts) {
  const versions = versionQueries(store)
  const contents = openContents(settings.dataDir === undefined ? undefined : `${settings.dataDir}/history`)
  const limits = { ...defaultLimits, ...settings.history }
  const history = new History({ store, queries: versions, contents, limits, log })
  forgetWhenRemoved(store, { history, versions, contents, users, log, filesOf })
  return { history, versions, contents, recorder: openHistoryRecorder(history, filesOf) }
}
