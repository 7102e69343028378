import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import type { Caller } from '../../core/caller.ts'
import { openActiveJobs } from './active-jobs/active-jobs.ts'
import { openHistory } from './history/open.ts'
import { filemanagerSteps } from './steps/index.ts'
import { openDownloads } from './transfers/downloads.ts'
import { openUploads } from './transfers/uploads.ts'
import { openVcs } from './vcs/vcs.ts'
import { type Files, type Naming, open, findNamedFiles } from './named-files.ts'

/** Opens the area for the hosting users of this host. */
export function openFilemanager({ host, store, settings, log, use }: Deps) {
  const parts = { users: use(users).users, websites: use(websites).websites, owners: host.owners }
  const findFiles = (naming: Naming, caller: Caller): Promise<Files> => findNamedFiles(parts, naming, caller)
  const filesOf = (username: string) => open(parts, username)
  const ownerOf = async (username: string) => (await filesOf(username)).owner
  const { historySteps, ...history } = openHistory({ store, settings, log, filesOf, users: parts.users })
  const uploads = openUploads({ store, findFiles, ownerOf, recorder: history.recorder, log })
  const downloads = openDownloads({ store, fetch: host.fetch, addresses: host.addresses, ownerOf })
  const vcs = openVcs({ store, addresses: host.addresses, ownerOf })
  return {
    ...history,
    findFiles,
    uploads,
    downloads,
    vcs,
    activeJobs: openActiveJobs(store),
    steps: {
      ...filemanagerSteps(ownerOf, history.recorder),
      ...historySteps,
      ...uploads.steps,
      ...downloads.steps,
      ...vcs.steps,
    },
  }
}

export interface Context {
  readonly filemanager: ReturnType<typeof openFilemanager>
}

export const { endpoint, job } = area.of<Context>()
