import { problem } from '../../core/problem.ts'

/** The change cannot be undone by id, whatever the state of the host. */
export const NotUndoable = problem('not_undoable', 409, 'This change cannot be undone')
