import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Store } from '../../store/store.ts'
import type { Log } from '../../core/log.ts'
import type { Deps } from '../deps.ts'

/** Docker Engine of this host, as the verbs of the area reach it. */
export interface Containers {
  readonly docker: Tools['docker']
  readonly store: Store
  readonly log: Log
}

/** Binds the area to the engine of this host. */
export function openContainers({ tools: { docker }, store, log }: Deps): Containers {
  return { docker, store, log }
}

export interface Context {
  readonly containers: Containers
}

export const { endpoint, work } = area.of<Context>()
