import { area } from '../../core/area.ts'
import { type ChangedStep, changedSteps } from '../../changes/shown-steps.ts'
import type { ActivityRow } from '../../changes/tables.ts'
import type { UndoById } from '../../changes/undo-by-id/index.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { openSearchQueue, type SearchQueue } from './search-queue.ts'
import { type ActivityQueries, activityQueries } from './store.ts'
import type { DatedVerification } from './verifications-store.ts'

/** The hash chain that the executor writes, as the verbs of the area reach it. */
export interface Activity {
  readonly store: Store
  readonly queries: ActivityQueries
  readonly queue: SearchQueue
  readonly undo: UndoById
  readonly actions: Deps['actions']
  readonly users: Users
  /** What the steps of an entry's change have changed. */
  stepsOf(entry: Pick<ActivityRow, 'change_id'>): Promise<readonly ChangedStep[]>
  /** The running exports, by the id of their callers. */
  readonly exporting: Map<number, object>
  /** What the last check since the panel was started has found. */
  readonly lastCheck: { found?: DatedVerification }
}

/** Binds the area to the store. */
export function openActivity({ store, steps, undo, actions, use }: Deps): Activity {
  const { users: people } = use(users)
  return {
    store,
    undo,
    actions,
    users: people,
    queries: activityQueries(store),
    queue: openSearchQueue(),
    exporting: new Map(),
    lastCheck: {},
    stepsOf: ({ change_id: id }) => changedSteps(store, steps, id),
  }
}

export interface Context {
  readonly activity: Activity
}

export const { endpoint, job, work } = area.of<Context>()
