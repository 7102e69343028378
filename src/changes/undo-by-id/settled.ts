import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { forStore, packWork, type StepKinds, type Work } from '../work.ts'
import { refusalOf } from './refusal.ts'
import { writeRecorded } from './written-rows.ts'

interface Settling {
  /** With rows filled in. */
  readonly work: Work
  readonly kinds: StepKinds
}

/**
 * Writes the rows of a change that is being settled. Returns the columns of its row that undo by id needs:
 * the work with the former rows, and the reason why it cannot be undone.
 */
export async function writeUndoable(
  store: Store,
  tx: Tx,
  { work, kinds }: Settling,
): Promise<{ readonly not_undone: string | null; readonly work?: string }> {
  const written = await writeRecorded(store, tx, work.rows)
  const not_undone = refusalOf(work, kinds, written)
  if (work.rows.length === 0) return { not_undone }
  // the values that were written are in the record
  const { rows: _rows, ...settled } = forStore(work)
  return { not_undone, work: packWork(store, { ...settled, rows: [], written: written.rows }) }
}
