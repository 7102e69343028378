import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import type { Caller } from '../../core/caller.ts'
import { filemanagerSteps } from './steps/index.ts'
import { openUploads } from './transfers/uploads.ts'
import { openVcs } from './vcs/vcs.ts'
import { type Files, type Naming, open, whoseFiles } from './whose-files.ts'

/** The area bound to the owners of this host. */
export function openFilemanager({ host, store, use }: Deps) {
  const parts = { users: use(users).users, websites: use(websites).websites, owners: host.owners }
  const whose = (naming: Naming, caller: Caller): Promise<Files> => whoseFiles(parts, naming, caller)
  const ownerOf = async (username: string) => (await open(parts, username)).owner
  const uploads = openUploads({ store, whose, ownerOf })
  const vcs = openVcs({ store, addresses: host.addresses, ownerOf })
  return { whose, uploads, vcs, steps: { ...filemanagerSteps(ownerOf), ...uploads.steps, ...vcs.steps } }
}

export interface Context {
  readonly filemanager: ReturnType<typeof openFilemanager>
}

export const { endpoint, job } = area.of<Context>()
