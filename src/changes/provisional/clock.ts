import { setTimeout as sleep } from 'node:timers/promises'
import { Conflict } from '../../core/problem.ts'

type Argv = readonly [string, ...string[]]

/** Programs that run at a deadline without the panel, as the host starts and disarms them. */
export interface Clocks {
  start(name: string, deadline: Date): Promise<void>
  /** False if the clock has struck. */
  arm(name: string, index: number, argv: Argv): Promise<boolean>
  /** False if the clock has struck, or was disarmed before. */
  disarm(name: string, by: 'confirmed' | 'cancelled' | 'undone'): Promise<boolean>
  state(name: string): Promise<string | undefined>
  isRunning(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  names(): Promise<readonly string[]>
}

/** The clock of one change while its steps act. */
export interface ChangeClock {
  readonly changeId: number
  readonly confirmUntil: string
  start(): Promise<void>
  /** Stores the undo of a step before the step acts; throws if the clock has struck. */
  arm(index: number, argv: Argv): Promise<void>
  /** Throws if the clock has struck. */
  assertArmed(): Promise<void>
  /** Disarms the clock, or waits until its commands have ended: from then on only the panel undoes the change. */
  silence(): Promise<void>
}

/** The name of the clock of a change. */
export const clockName = (changeId: number): string => `change-${changeId}`

/** Makes the clock of a change that is about to act. */
export function changeClock(clocks: Clocks, changeId: number, seconds: number): ChangeClock {
  const name = clockName(changeId)
  const deadline = new Date(Date.now() + seconds * 1000)
  const refuse = (isArmed: boolean) => {
    if (!isArmed) throw Conflict(`It took longer than the ${seconds} s in which it must be confirmed.`)
  }
  return {
    changeId,
    confirmUntil: deadline.toISOString(),
    start: () => clocks.start(name, deadline),
    arm: async (index, argv) => refuse(await clocks.arm(name, index, argv)),
    assertArmed: async () => refuse((await clocks.state(name)) === 'armed'),
    silence: () => silence(clocks, name),
  }
}

const lookMs = 50

/** Disarms a clock, or waits until the commands of one that has struck have ended. */
export async function silence(clocks: Clocks, name: string): Promise<void> {
  while (!(await clocks.disarm(name, 'undone'))) {
    const isBusy = ['setting', 'armed', 'struck'].includes((await clocks.state(name)) ?? '')
    if (!isBusy || !(await clocks.isRunning(name))) return
    await sleep(lookMs)
  }
}

/** A clock that has not struck this long after its deadline is not waited for. */
const lateMs = 5000

/**
 * Waits for the deadline, and until the commands of the clock have ended. False if a confirmation or a cancel
 * was first. Disarms a clock that no longer runs; then the panel must undo the change alone.
 */
export async function hasRunOut(
  clocks: Clocks,
  { name, deadline }: { readonly name: string; readonly deadline: Date },
  signal: AbortSignal,
): Promise<boolean> {
  const runs = () => clocks.isRunning(name)
  if (await runs())
    await sleep(Math.max(0, deadline.getTime() - Date.now()), undefined, { signal, ref: false })
  for (;;) {
    const isAlone = !(await runs()) || Date.now() > deadline.getTime() + lateMs
    const state = await clocks.state(name)
    if (state === 'confirmed' || state === 'cancelled') return false
    if (state === undefined || state === 'done' || state === 'undone') return true
    if (isAlone && state === 'armed' && (await clocks.disarm(name, 'undone'))) return true
    if (isAlone && state !== 'armed' && !(await runs())) return true
    await sleep(lookMs, undefined, { signal, ref: false })
  }
}
