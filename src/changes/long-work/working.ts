import type { Caller } from '../../core/caller.ts'
import type { Change } from '../../core/change.ts'
import type { Log } from '../../core/endpoint.ts'
import { admits, type Guard } from '../../core/guard.ts'
import type { WorkKind } from '../../core/job.ts'
import { Forbidden } from '../../core/problem.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Store } from '../../store/store.ts'
import type { Executor } from '../executor.ts'
import type { Programs } from '../programs.ts'
import { type LeftWork, openLeftWork } from '../left-work.ts'
import type { ChangeRow } from '../tables.ts'
import { type StepKinds, unpackWork } from '../work.ts'
import type { openEnds } from './ends.ts'

/** A kind of long work with the context of its decisions. */
export interface BoundWork {
  readonly kind: WorkKind
  readonly context: object
  /**
   * The guards of the endpoints that show it, or of its area where none does: at its turn the caller must
   * still pass one.
   */
  readonly guards: readonly Guard[]
}

/** The current state of a caller; undefined if they are deleted or suspended. */
export type CallerOf = (
  row: Pick<ChangeRow, 'user_id' | 'key_id' | 'ip' | 'request_id'>,
) => Promise<Caller | undefined>

/** The options of long work. */
export interface WorkParts {
  readonly store: Store
  readonly log: Log
  readonly executor: Executor
  readonly jobs: Jobs
  readonly programs?: Programs
  /** The delay before the second attempt of a kind that has several; doubled before each further one. */
  readonly retryMs?: number
}

/** The state that the parts of long work share. */
export interface Working extends Required<Omit<WorkParts, 'programs'>> {
  readonly programs: Programs | undefined
  readonly ends: ReturnType<typeof openEnds>
  /** Ends with the panel. */
  readonly stop: AbortSignal
  /** The kinds of steps of this panel, by name. */
  stepKinds(): StepKinds
  kindOf(name: string): BoundWork | undefined
  /** Decides with the caller's current rights; throws refusals. */
  decide(bound: BoundWork, request: Deciding): Promise<Change>
  callerOf: CallerOf
}

/** One decision on a stored input. */
export interface Deciding {
  readonly input: unknown
  readonly caller: Caller | null
  readonly jobId: number | undefined
  readonly signal: AbortSignal
}

/** The caller of stored work at its turn; null if nobody was signed in at the request. */
export async function callerAtTurn(
  { callerOf }: Working,
  { guards }: BoundWork,
  row: ChangeRow,
): Promise<Caller | null> {
  if (row.user_id === null) return null
  const caller = await callerOf(row)
  if (caller === undefined || !guards.some((guard) => admits(guard, caller)))
    throw Forbidden('The caller no longer has the permission for this')
  return caller
}

/** What an interrupted turn of queued work left; undefined if it left nothing. */
export function leftWorkOf(
  { store, log, stepKinds }: Pick<Working, 'store' | 'log' | 'stepKinds'>,
  { id, state, work }: Pick<ChangeRow, 'id' | 'state' | 'work'>,
): LeftWork | undefined {
  if (state !== 'queued' || work === null) return undefined
  return openLeftWork({ work: unpackWork(store, work), kinds: stepKinds(), changeId: id, log })
}
