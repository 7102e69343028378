import { change, type Change, step, type StepKind } from '../../core/change.ts'
import { lock, storedLocks } from '../../core/lock.ts'
import type { Store } from '../../store/store.ts'
import type { ActivityRow, ChangeRow } from '../tables.ts'
import { type StoredStep, unpackWork, type Work } from '../work.ts'
import { NotUndoable } from './problems.ts'
import { whyNotRepeated } from './refusal.ts'
import { reversedRows, tryRows } from './reversed-rows.ts'
import { undoArgsOf, type UndoArgs } from './step.ts'

/** The parts that a decision to undo uses. */
export interface Deciding {
  readonly store: Store
  readonly step: StepKind<UndoArgs, null, null>
}

/** The reply to an undo. */
export interface Undone {
  /** The entry of the undone change. */
  readonly entry_id: number
  readonly message: string
}

const undoLock = lock<readonly [change: number]>('undo')

/**
 * Decides on the change that undoes the one of an activity entry. Checks every step and row first: what has
 * changed since is a conflict.
 */
export async function decideUndo(
  { store, step: kind }: Deciding,
  entry: Pick<ActivityRow, 'id' | 'change_id'>,
  now: Date,
): Promise<Change<Undone>> {
  const row = await changeOf(store, entry.change_id)
  const work = undoable(store, row)
  const args = work.steps.map((each, index) => undoArgs(work, each, index)).toReversed()
  for (const each of args) await kind.observe(each)
  const rows = await reversedRows(store, work.written ?? [], now)
  await tryRows(store, rows)
  return change({
    summary: `Undo entry ${entry.id}: ${row.summary}`,
    locks: [undoLock(row.id), ...storedLocks(row.locks)],
    steps: args.map((each) => step(kind, each)),
    rows: [...rows, markUndone(row.id, now)],
    reply: { entry_id: entry.id, message: row.summary },
  })
}

async function changeOf({ db }: Store, id: number | null): Promise<ChangeRow> {
  const row = await db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw NotUndoable('The entry has no change that could be undone')
  return row
}

function undoable(store: Store, row: ChangeRow): Work {
  const refusal = refusalOfRow(row)
  if (refusal !== null) throw NotUndoable(`It cannot be undone: ${refusal}`)
  return unpackWork(store, row.work ?? '')
}

type Facts = Pick<ChangeRow, 'state' | 'outcome' | 'not_undone' | 'undone_at'> & { readonly hasWork: boolean }

/** The reason why a change is not undone, by its row alone; null if only the host could refuse. */
export function whyNotUndone({ state, outcome, not_undone, undone_at, hasWork }: Facts): string | null {
  if (state !== 'settled') return 'it has not ended yet: cancel it instead'
  if (outcome !== 'ok') return notOk[outcome ?? 'failed']
  if (undone_at !== null) return 'it has already been undone'
  if (not_undone !== null) return not_undone
  return hasWork ? null : 'it is too old, and its former states are no longer kept'
}

const notOk = {
  failed: 'it failed, and what remains of it is unknown',
  restored: 'it failed, and everything was restored then',
  cancelled: 'it was cancelled, and everything was restored then',
}

const refusalOfRow = (row: ChangeRow) => whyNotUndone({ ...row, hasWork: row.work !== null })

function undoArgs(work: Work, step: StoredStep, index: number): UndoArgs {
  const undone = undoArgsOf(step)
  if (undone !== undefined) return { ...undone, isRepeated: !undone.isRepeated }
  const { kind, args, before } = step
  const notRepeated = whyNotRepeated(work, index)
  return { kind, args, before, isRepeated: false, ...(notRepeated !== undefined && { notRepeated }) }
}

const markUndone = (id: number, now: Date) => ({
  write: 'update' as const,
  table: 'changes',
  where: { id, undone_at: null },
  set: { undone_at: now.toISOString() },
  undo: { key: ['id'], left: 'an undo is recorded once' },
})
