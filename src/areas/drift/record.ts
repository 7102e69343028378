import type { RowWrite } from '../../core/change.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { type RecordedRow, recordedStates } from './store.ts'

/** The text of a state; null stands for absent. */
export type Content = string | null

/** What the panel records of an object. */
export interface Known {
  readonly state?: Content
  readonly expected?: Content
}

/** An object whose state is recorded. */
export type Recorded = Pick<RecordedRow, 'kind' | 'name' | 'program'>

export type Sealing = Pick<Store, 'seal' | 'unseal'>

/** Returns what a row records. */
export function knownIn(
  { unseal }: Sealing,
  { state, expected }: Pick<RecordedRow, 'state' | 'expected'>,
): Known {
  const open = (sealed: string): Content => JSON.parse(unseal(sealed))
  return {
    ...(state !== null && { state: open(state) }),
    ...(expected !== null && { expected: open(expected) }),
  }
}

/** Returns the row of an object of which nothing else is recorded. */
function rowWith(
  { seal }: Pick<Store, 'seal'>,
  { kind, name, program }: Recorded,
  { state, expected, now }: Known & { readonly now: Date },
): RecordedRow {
  const sealed = (content: Content | undefined) =>
    content === undefined ? null : seal(JSON.stringify(content))
  return recordedStates.row({
    kind,
    name,
    program,
    state: sealed(state),
    expected: sealed(expected),
    recorded_at: now.toISOString(),
  })
}

/** Reads the row of an object. */
export const readRow = (tx: Tx, { kind, name }: Recorded): Promise<RecordedRow | undefined> =>
  tx
    .selectFrom('drift_states')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst()

/** Records what is known of an object, in place of what was. */
export async function writeKnown(
  { store, tx }: { readonly store: Pick<Store, 'seal' | 'write'>; readonly tx: Tx },
  object: Recorded,
  { state, expected }: Known,
): Promise<void> {
  const forget = recordedStates.delete({ kind: object.kind, name: object.name })
  const isNothing = state === undefined && expected === undefined
  const known = {
    ...(state !== undefined && { state }),
    ...(expected !== undefined && { expected }),
    now: new Date(),
  }
  await store.write(tx, [forget, ...(isNothing ? [] : [recordedStates.insert(rowWith(store, object, known))])])
}

/** An object whose row is as it was read; undefined if there was none. */
interface Adopting {
  readonly object: Recorded
  readonly state: Content
  readonly recordedAt: string | undefined
  readonly now: Date
}

/** Returns the write that makes a state the wanted one. It is a conflict if a change of the panel has recorded another one since. */
export function adoption(
  store: Pick<Store, 'seal'>,
  { object, state, recordedAt, now }: Adopting,
): RowWrite {
  const row = rowWith(store, object, { state, now })
  if (recordedAt === undefined) return recordedStates.insert(row)
  const { kind, name } = object
  return recordedStates.updateWhere(
    { kind, name, recorded_at: recordedAt },
    { state: row.state, expected: null, recorded_at: row.recorded_at },
  )
}
