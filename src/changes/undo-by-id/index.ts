import type { Caller } from '../../core/caller.ts'
import type { Change, StepKind } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'
import type { ActivityRow } from '../tables.ts'
import type { StepKinds } from '../work.ts'
import { decideUndo, type Undone } from './decide.ts'
import { undoStep, type UndoArgs } from './step.ts'

export { decideUndo, whyNotUndone } from './decide.ts'
export { NotUndoable } from './problems.ts'
export { undoStep } from './step.ts'

/** Throws unless the caller may undo the change of an activity entry. */
export type AssertMayUndo = (entry: ActivityRow, caller: Caller) => Promise<void>

/** Undoes settled changes by the ids of their activity entries. */
export interface UndoById {
  /** The kind of step that every undo consists of; it must be registered. */
  readonly step: StepKind<UndoArgs, null, null>
  decide(entryId: number, caller: Caller | null, now: Date): Promise<Change<Undone>>
}

interface UndoParts {
  readonly store: Store
  /** Every registered kind of step. */
  readonly kinds: StepKinds
  readonly assertMayUndo: AssertMayUndo
}

/** Binds undo by id to the store and the registered steps. */
export function openUndo({ store, kinds, assertMayUndo }: UndoParts): UndoById {
  const step = undoStep(() => kinds)
  return {
    step,
    decide: async (entryId, caller, now) => {
      const entry = await store.db
        .selectFrom('activity')
        .selectAll()
        .where('id', '=', entryId)
        .executeTakeFirst()
      if (entry === undefined || caller === null) throw NotFound(`id: there is no entry ${entryId}`)
      await assertMayUndo(entry, caller)
      return decideUndo({ store, step }, entry, now)
    },
  }
}
