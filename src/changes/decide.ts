import { actingStep } from '../core/acting.ts'
import { HeldByChange, HeldByJob } from '../core/problem.ts'
import type { Order } from './executor.ts'
import type { Locks } from './locks.ts'
import type { Unsettled } from './unsettled.ts'

/** The locks and unsettled changes that a decision waits for. */
export interface Held {
  readonly locks: Locks
  readonly unsettled: Unsettled
  readonly provisional: { holderOf(names: readonly string[]): number | undefined }
}

const mostDecisions = 50

/**
 * Decides, takes the locks that the decision names, and decides again if another change released one of them
 * meanwhile.
 */
export async function decideLocked<Reply>(held: Held, { decide, signal, carrier }: Order<Reply>) {
  const { locks } = held
  const waiting = { signal, jobId: carrier?.jobId }
  let names: readonly string[] = carrier?.locks ?? []
  for (let decisions = 0; decisions < mostDecisions; decisions++) {
    const release = await acquireSettled(held, names, waiting)
    try {
      const mark = locks.now()
      const change = await decide()
      signal.throwIfAborted()
      const missing = change.locks.filter((name) => !names.includes(name))
      if (missing.length === 0) return { change, release }
      // waiting for more locks while holding some could deadlock
      const more = names.length === 0 ? await takeFresh(held, missing, mark, waiting) : undefined
      if (more) return { change, release: () => (more(), release()) }
      names = [...new Set([...names, ...change.locks])]
    } catch (error) {
      release()
      throw error
    }
    release()
  }
  throw new Error(
    `A change named other locks at each of ${mostDecisions} decisions, last ${names.slice(-3).join(', ')}`,
  )
}

interface Waiting {
  readonly signal: AbortSignal
  readonly jobId: number | undefined
}

/**
 * Takes locks. A change that could not be settled keeps its own until the store accepts its end; the change
 * of a request waits neither for a job nor for a confirmation.
 */
async function acquireSettled(
  { locks, unsettled, provisional }: Held,
  names: readonly string[],
  { signal, jobId }: Waiting,
): Promise<() => void> {
  while (true) {
    const holder = jobId === undefined ? locks.holderOf(names) : undefined
    if (holder !== undefined) throw HeldByJob(undefined, { fields: { job_id: holder } })
    const awaiting = jobId === undefined ? provisional.holderOf(names) : undefined
    if (awaiting !== undefined) throw HeldByChange(undefined, { fields: { change_id: awaiting } })
    const release = await locks.acquire(names, signal, jobId)
    if (!unsettled.holds(names)) return release
    release()
    await unsettled.settle(names)
  }
}

async function takeFresh(
  held: Held,
  names: readonly string[],
  mark: number,
  waiting: Waiting,
): Promise<(() => void) | undefined> {
  const release = await acquireSettled(held, names, waiting)
  if (!held.locks.changedSince(names, mark)) return release
  release()
  return undefined
}

/** A step that waits for another change, or for a job, could deadlock. */
export function refuseWithinStep(): void {
  const step = actingStep.getStore()
  if (step !== undefined)
    throw new Error(`step ${step.token} carries out another change: make that a follow-up job`)
}
