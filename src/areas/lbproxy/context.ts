import { area } from '../../core/area.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { openStateReconciler, type ReconcileServerStates } from './reconcile-states.ts'
import { type WantedStates, stateQueries } from './store.ts'

/** The HAProxy of this host, as the verbs of the area reach it. */
export interface Lbproxy {
  readonly haproxy: Haproxy
  readonly states: WantedStates
  readonly reconcileServerStates: ReconcileServerStates
  readonly programSteps: Deps['tools']['programSteps']
  readonly log: Log
  readonly store: Store
}

/** Binds the area to the HAProxy of this host. */
export function openLbproxy({ tools: { haproxy, programSteps }, store, log }: Deps): Lbproxy {
  const states = stateQueries(store)
  const reconcileServerStates = openStateReconciler(haproxy, states, log)
  return { haproxy, states, reconcileServerStates, programSteps, log, store }
}

export interface Context {
  readonly lbproxy: Lbproxy
}

export const { endpoint, job, work } = area.of<Context>()
