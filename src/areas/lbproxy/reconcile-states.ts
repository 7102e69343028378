import type { Log } from '../../core/endpoint.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import type { StateRow, WantedStates } from './store.ts'

/** Brings the states of servers back into a HAProxy that was started anew. Never rejects: what fails is logged and tried at the next look. */
export type ReconcileServerStates = () => Promise<void>

/**
 * The states that were set through the panel outlive the processes of HAProxy: a process that has not seen them gets them again. In
 * one that has, what somebody set through the socket by hand counts instead.
 */
export function openStateReconciler(haproxy: Haproxy, states: WantedStates, log: Log): ReconcileServerStates {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const lookAgain = async () => {
    do {
      isAskedAgain = false
      try {
        await look(haproxy, states)
      } catch (error) {
        log.error({ err: error }, 'the states of servers could not be brought back')
      }
    } while (isAskedAgain)
    running = undefined
  }
  return () => {
    isAskedAgain = running !== undefined
    running ??= lookAgain()
    return running
  }
}

async function look(haproxy: Haproxy, states: WantedStates): Promise<void> {
  const rows = await states.all()
  const generation = rows.length === 0 ? undefined : await haproxy.program.generation()
  if (generation === undefined) return
  const isSeen = (row: StateRow) => row.generation === generation
  for (const row of rows.filter((each) => !isSeen(each))) await bringBack(row)
  if (rows.some(isSeen)) await takeOver(rows.filter(isSeen))

  async function bringBack(row: StateRow): Promise<void> {
    const refusal = await haproxy.states.set(row)
    if (refusal === undefined) await states.markSeen(row, generation!)
    if (refusal !== undefined && /no such (?:server|backend)/i.test(refusal)) await states.markGone(row)
  }

  /** What was read may come from a process that is younger than the one that was asked for. */
  async function takeOver(seen: readonly StateRow[]): Promise<void> {
    const forced = await haproxy.states.forced()
    if (forced === undefined || (await haproxy.program.generation()) !== generation) return
    for (const row of seen) {
      const now = forced.find((each) => each.backend === row.backend && each.server === row.server)?.state
      if (now === undefined) await states.markGone(row)
      else if (now !== row.state) await states.markChanged(row, now)
    }
  }
}
