import { Conflict, OldConnection } from '../../core/problem.ts'
import type { ChangeRow } from '../tables.ts'
import type { StepKinds } from '../work.ts'
import { clockName, hasRunOut } from './clock.ts'
import { type Ending, type EndParts, endProvisional } from './end.ts'

/** A change that waits for its confirmation. */
export interface Awaiting {
  readonly changeId: number
  readonly deadline: Date
  readonly kinds: StepKinds
  /** When all its steps had acted, in milliseconds of `performance.now()`. */
  readonly actedAt: number
  /** Releases the locks. */
  readonly release: () => void
}

interface WaitingParts extends EndParts {
  readonly onPoint: (point: string) => void
}

/** The winner of a clock that has not struck. */
export type EndedBy = 'confirmed' | 'cancelled'

const unconfirmed: Ending = { outcome: 'restored', message: 'It was not confirmed in time' }

/** The endings that a rename of the clock decides. */
export const endings: Readonly<Record<EndedBy, Ending>> = {
  confirmed: { outcome: 'ok', message: '' },
  cancelled: { outcome: 'cancelled', message: 'Cancelled' },
}

/** The changes of one panel that wait for their confirmation, and the watches on their clocks. */
export class WaitingChanges {
  readonly #parts: WaitingParts
  readonly #changes = new Map<number, Awaiting>()
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #halt = new AbortController()

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  /** Ends when the panel stops. */
  get stop(): AbortSignal {
    return this.#halt.signal
  }

  /** Keeps a change until it is ended, or its clock has struck. */
  add(change: Awaiting): void {
    this.#changes.set(change.changeId, change)
    this.inBackground(change.changeId, this.#watch(change))
  }

  /** Throws Conflict if the change no longer waits, or OldConnection. */
  assertAwaits(changeId: number, connectedAt: number | null): void {
    const { actedAt } = this.#find(changeId)
    if (connectedAt === null || connectedAt <= actedAt) throw OldConnection()
  }

  /** Ends a change; throws Conflict if its clock has struck, or it was ended before. */
  async end(changeId: number, by: EndedBy): Promise<void> {
    const change = this.#find(changeId)
    if (!(await this.#parts.clocks.disarm(clockName(changeId), by))) throw over()
    this.#parts.onPoint(by)
    await this.#follow(this.finish(change, endings[by]))
  }

  /** Settles a change whose clock does nothing any more, and releases its locks. */
  async finish({ changeId, kinds, release }: Awaiting, ending: Ending): Promise<void> {
    const { store, onPoint } = this.#parts
    this.#changes.delete(changeId)
    const changes = store.db.selectFrom('changes').selectAll().where('id', '=', changeId)
    const row: ChangeRow = await changes.executeTakeFirstOrThrow()
    await endProvisional(this.#parts, { row, kinds }, ending)
    onPoint('ended')
    release()
  }

  /** Logs the failure of an end that nobody waits for; the locks stay held. */
  inBackground(changeId: number, ended: Promise<void>): void {
    void this.#follow(ended).catch((error) => {
      if (this.stop.aborted) return // the next start goes on
      this.#parts.log.error({ err: error, changeId }, 'a provisional change could not be ended')
    })
  }

  /** Waits for the ends under way; the others are left to their clocks and to the next start. */
  async close(): Promise<void> {
    this.#halt.abort(new Error('the panel is stopping'))
    await Promise.allSettled(this.#underWay)
  }

  async #watch(change: Awaiting): Promise<void> {
    const clock = { name: clockName(change.changeId), deadline: change.deadline }
    const isOver = await hasRunOut(this.#parts.clocks, clock, this.stop)
    // the clock of a change that was ended is gone as well
    if (isOver && this.#changes.get(change.changeId) === change) await this.finish(change, unconfirmed)
  }

  #find(changeId: number): Awaiting {
    const change = this.#changes.get(changeId)
    if (change === undefined) throw over()
    return change
  }

  #follow<Value>(work: Promise<Value>): Promise<Value> {
    this.#underWay.add(work)
    return work.finally(() => this.#underWay.delete(work))
  }
}

const over = () => Conflict('The change no longer waits for its confirmation')
