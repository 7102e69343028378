import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { type ServicesArea, services } from '../services/index.ts'
import { type Snapshots, snapshots } from '../snapshots/index.ts'
import { accountStep } from './account-step.ts'
import type { CompareParts } from './differences.ts'
import { openRecorder } from './recorder.ts'
import { rightsStep } from './rights-step.ts'
import { driftQueries } from './store.ts'

/** What the panel has written and what is there, as the verbs of the area reach them. */
export interface DriftArea extends CompareParts {
  readonly store: Deps['store']
  readonly setAccess: ReturnType<typeof accountStep>
  readonly setRights: ReturnType<typeof rightsStep>
  readonly restoreFiles: Snapshots['restoreFiles']
  readonly switchService: ServicesArea['switchStep']
}

/** Binds the area to the store and the host, which tells it of each change from now on. */
export function openDrift({ host, store, tools, log, use }: Deps): DriftArea {
  const { files, accounts } = host
  host.observe(openRecorder({ store, files, log }))
  return {
    store,
    queries: driftQueries(store),
    files,
    services: host.services,
    accounts,
    managed: tools.managed,
    setAccess: accountStep(accounts),
    setRights: rightsStep(host),
    restoreFiles: use(snapshots).snapshots.restoreFiles,
    switchService: use(services).services.switchStep,
  }
}

export interface Context {
  readonly drift: DriftArea
}

export const { endpoint, job } = area.of<Context>()
