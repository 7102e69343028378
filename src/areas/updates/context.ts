import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps } from '../deps.ts'
import { fetchLists } from './fetch-lists.ts'
import { installUpdates } from './install-updates.ts'
import type { Updates } from './model.ts'
import { pendingReader, readUpdates } from './read-updates.ts'

/** The updates of the host's packages, as the verbs of the area reach them. */
export interface UpdatesArea {
  readonly packages: Host['packages']
  readonly machine: Host['machine']
  readonly read: () => Promise<Updates>
  readonly fetchLists: ReturnType<typeof fetchLists>
  readonly installUpdates: ReturnType<typeof installUpdates>
}

/** Binds the area to the host. */
export function openUpdatesArea({ host: { packages, files, machine } }: Deps): UpdatesArea {
  const readPending = pendingReader({ packages, files })
  return {
    packages,
    machine,
    read: () => readUpdates(readPending, { files, machine }),
    fetchLists: fetchLists({ packages, files }),
    installUpdates: installUpdates(packages),
  }
}

export interface Context {
  readonly updates: UpdatesArea
}

export const { endpoint, work } = area.of<Context>()
