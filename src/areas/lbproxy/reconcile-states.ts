import type { Log } from '../../core/endpoint.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import type { StateRow, WantedStates } from './store.ts'

/**
 * Restores the states of servers in a restarted HAProxy. Never rejects: a failure is logged and retried at
 * the next call.
 */
export type ReconcileServerStates = () => Promise<void>

/**
 * The states that were set through the panel outlive the processes of HAProxy: they are set again in a
 * process that has not received them. In a process that has received them, a state set manually through the
 * socket takes precedence.
 */
export function openStateReconciler(haproxy: Haproxy, states: WantedStates, log: Log): ReconcileServerStates {
  let running: Promise<void> | undefined
  let isRequestedAgain = false
  const reconcileAgain = async () => {
    do {
      isRequestedAgain = false
      try {
        await reconcile(haproxy, states)
      } catch (error) {
        log.error({ err: error }, 'cannot restore the server states')
      }
    } while (isRequestedAgain)
    running = undefined
  }
  return () => {
    isRequestedAgain = running !== undefined
    running ??= reconcileAgain()
    return running
  }
}

async function reconcile(haproxy: Haproxy, states: WantedStates): Promise<void> {
  const rows = await states.all()
  const generation = rows.length === 0 ? undefined : await haproxy.program.generation()
  if (generation === undefined) return
  const isConfirmed = (row: StateRow) => row.generation === generation
  for (const row of rows.filter((each) => !isConfirmed(each))) await restoreState(row)
  if (rows.some(isConfirmed)) await adoptForcedStates(rows.filter(isConfirmed))

  async function restoreState(row: StateRow): Promise<void> {
    const refusal = await haproxy.states.set(row)
    if (refusal === undefined) await states.markConfirmed(row, generation!)
    if (refusal !== undefined && /no such (?:server|backend)/i.test(refusal)) await states.markRemoved(row)
  }

  /** The states that were read may come from a younger process than the generation that was queried. */
  async function adoptForcedStates(confirmed: readonly StateRow[]): Promise<void> {
    const forced = await haproxy.states.forced()
    if (forced === undefined || (await haproxy.program.generation()) !== generation) return
    for (const row of confirmed) {
      const now = forced.find((each) => each.backend === row.backend && each.server === row.server)?.state
      if (now === undefined) await states.markRemoved(row)
      else if (now !== row.state) await states.markChanged(row, now)
    }
  }
}
