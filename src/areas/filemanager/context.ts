import { area } from '../../core/area.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Contents } from '../../host/contents.ts'
import type { Addresses, Fetch } from '../../host/fetch/index.ts'
import type { Owners } from '../../host/owner/index.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { websites, type Websites } from '../websites/index.ts'
import { type ActiveJobQueries, activeJobQueries } from './active-jobs/store.ts'
import { placeStep } from './copy-move/step.ts'
import type { History } from './history/history.ts'
import type { HistoryRecorder } from './history/history-recorder.ts'
import { openHistory } from './history/open.ts'
import { historySteps } from './history/steps.ts'
import type { VersionQueries } from './history/store.ts'
import { type Files, open } from './named-files.ts'
import type { OwnerOf } from './steps/files.ts'
import { filemanagerSteps } from './steps/index.ts'
import { downloadStep } from './transfers/download-step.ts'
import { uploadSteps } from './transfers/steps.ts'
import {
  type DownloadQueries,
  downloadQueries,
  type UploadQueries,
  uploadQueries,
} from './transfers/store.ts'
import { UploadTakeover } from './transfers/upload-takeover.ts'
import { vcsSteps } from './vcs/steps.ts'
import { transferSteps } from './vcs/transfer-steps.ts'
import { type VcsQueries, vcsQueries } from './vcs/store.ts'

/** The dependencies of the area's steps. */
interface Bound {
  readonly users: Users
  readonly websites: Websites
  readonly owners: Owners
  readonly filesOf: (username: string) => Promise<Files>
  readonly ownerOf: OwnerOf
  readonly store: Store
  readonly log: Log
  readonly fetch: Fetch
  readonly addresses: Addresses
  readonly history: History
  readonly recorder: HistoryRecorder
  readonly versions: VersionQueries
  readonly contents: Contents
  readonly uploads: UploadQueries
  readonly takeover: UploadTakeover
  readonly downloads: DownloadQueries
  readonly vcs: VcsQueries
  readonly activeJobs: ActiveJobQueries
}

/** The files of the hosting users of this host, as the verbs of the area reach them. */
export interface Filemanager extends Bound {
  readonly steps: ReturnType<typeof bindSteps>
}

/** Binds the area to the hosting users of this host. */
export function openFilemanager({ host, store, settings, log, use }: Deps): Filemanager {
  const parts = { users: use(users).users, websites: use(websites).websites, owners: host.owners }
  const filesOf = (username: string) => open(parts, username)
  const bound: Bound = {
    ...parts,
    filesOf,
    ownerOf: async (username) => (await filesOf(username)).owner,
    store,
    log,
    fetch: host.fetch,
    addresses: host.addresses,
    ...openHistory({ store, settings, log, filesOf, users: parts.users }),
    uploads: uploadQueries(store),
    takeover: new UploadTakeover(),
    downloads: downloadQueries(store),
    vcs: vcsQueries(store),
    activeJobs: activeJobQueries(store),
  }
  return { ...bound, steps: bindSteps(bound) }
}

function bindSteps(bound: Bound) {
  const { ownerOf, recorder, uploads: queries, takeover } = bound
  return {
    ...filemanagerSteps(ownerOf, recorder),
    place: placeStep(ownerOf, recorder),
    ...historySteps(bound),
    ...uploadSteps({ ownerOf, queries, takeover, recorder }),
    download: downloadStep(bound),
    ...vcsSteps(ownerOf),
    ...transferSteps(bound),
  }
}

export interface Context {
  readonly filemanager: Filemanager
}

export const { endpoint, job, work } = area.of<Context>()
