import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import { shareInProgress } from '../../tools/detection.ts'
import type { Deps } from '../deps.ts'
import { fetchLists } from './fetch-lists.ts'
import { installUpdates } from './install-updates.ts'
import type { Updates } from './model.ts'
import { readUpdates } from './read-updates.ts'

/** The updates of the host's packages, as the verbs of the area reach them. */
export interface UpdatesArea {
  readonly packages: Host['packages']
  readonly machine: Host['machine']
  /** Callers who ask at the same time share one reading: apt takes seconds for it. */
  readonly read: () => Promise<Updates>
  readonly fetchLists: ReturnType<typeof fetchLists>
  readonly installUpdates: ReturnType<typeof installUpdates>
}

/** Binds the area to the host. */
export function openUpdatesArea({ host: { packages, files, machine } }: Deps): UpdatesArea {
  return {
    packages,
    machine,
    read: shareInProgress(() => readUpdates({ packages, files })),
    fetchLists: fetchLists({ packages, files }),
    installUpdates: installUpdates(packages),
  }
}

export interface Context {
  readonly updates: UpdatesArea
}

export const { endpoint, work } = area.of<Context>()
