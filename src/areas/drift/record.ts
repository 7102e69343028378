import type { RowWrite } from '../../core/change.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import type { LargeContent } from '../snapshots/index.ts'
import { type RecordedRow, recordedStates } from './store.ts'

/** The text of a state, or what is compared of a file that is too large for one; null stands for absent. */
export type Content = string | LargeContent | null

/** What the panel records of an object. */
export interface Known {
  readonly state?: Content
  readonly expected?: Content
  readonly former?: Content
  /** The mode and owner of a file, as `textOfRights` has them. */
  readonly rights?: string
}

/** An object whose state is recorded. */
export type Recorded = Pick<RecordedRow, 'kind' | 'name' | 'program'>

export type Sealing = Pick<Store, 'seal' | 'unseal'>

/** Returns what a row records. */
export function knownIn(
  { unseal }: Sealing,
  { state, expected, former, rights }: Pick<RecordedRow, 'state' | 'expected' | 'former' | 'rights'>,
): Known {
  const open = (sealed: string): Content => JSON.parse(unseal(sealed))
  return {
    ...(state !== null && { state: open(state) }),
    ...(expected !== null && { expected: open(expected) }),
    ...(former !== null && { former: open(former) }),
    ...(rights !== null && { rights }),
  }
}

/** Returns the row of an object of which nothing else is recorded. */
function rowWith(
  { seal }: Pick<Store, 'seal'>,
  { kind, name, program }: Recorded,
  { state, expected, former, rights, now }: Known & { readonly now: Date },
): RecordedRow {
  const sealed = (content: Content | undefined) =>
    content === undefined ? null : seal(JSON.stringify(content))
  return recordedStates.row({
    kind,
    name,
    program,
    state: sealed(state),
    expected: sealed(expected),
    former: sealed(former),
    rights: rights ?? null,
    recorded_at: now.toISOString(),
  })
}

/** Records what is known of an object, in place of what was. */
export async function writeKnown(
  { store, tx }: { readonly store: Pick<Store, 'seal' | 'write'>; readonly tx: Tx },
  object: Recorded,
  known: Known,
): Promise<void> {
  const { kind, name } = object
  const isNothing = known.state === undefined && known.expected === undefined
  const row = rowWith(store, object, { ...known, now: new Date() })
  const written = isNothing ? [] : [recordedStates.insert(row)]
  await store.write(tx, [recordedStates.delete({ kind, name }), ...written])
}

/** An object whose row is as it was read; undefined if there was none. */
interface Adopting {
  readonly object: Recorded
  readonly state: Content
  readonly rights: string | undefined
  readonly recordedAt: string | undefined
  readonly now: Date
}

/** Returns the write that makes a state the wanted one. It is a conflict if a change of the panel has recorded another one since. */
export function adoption(
  store: Pick<Store, 'seal'>,
  { object, state, rights, recordedAt, now }: Adopting,
): RowWrite {
  const row = rowWith(store, object, { state, ...(rights !== undefined && { rights }), now })
  if (recordedAt === undefined) return recordedStates.insert(row)
  const { kind, name } = object
  return recordedStates.updateWhere(
    { kind, name, recorded_at: recordedAt },
    { state: row.state, expected: null, former: null, rights: row.rights, recorded_at: row.recorded_at },
  )
}
