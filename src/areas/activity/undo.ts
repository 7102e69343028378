import Type from 'typebox'
import { Id } from '../../core/schemas.ts'
import { work } from './context.ts'
import { Undone } from './model.ts'

/** Undoes the change of an entry, under the locks of that change. */
export const undoing = work({
  kind: 'activity.undo',
  input: Type.Object({ entry_id: Id }),
  reply: Undone,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, caller, now, activity }) => activity.undo.decide(input.entry_id, caller, now),
})
