import { type Column, integer, oneOf, optional, text, time } from '../../store/columns.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { driftKinds, driftStates } from './model.ts'

/** Sealed files of up to 16 MiB; the limit of other secrets is far below. */
const sealed: Column<string, string, false> = { ...text(64 * 1024 * 1024), isShown: false }

/**
 * The wanted state of each file, service and account that the panel has written. `expected` is what a write that has begun
 * makes of it, so that a panel that was killed in between takes neither for an edit of others. `former` was wanted before the last
 * write, and is again once that is undone. `rights` are the mode and the owner that a file is wanted to have.
 */
export const recordedStates = table(
  'drift_states',
  {
    kind: oneOf(driftKinds, { key: true }),
    name: text(4096, { key: true }),
    program: text(5000),
    state: optional(sealed),
    expected: optional(sealed),
    former: optional(sealed),
    rights: optional(text(40)),
    recorded_at: time(),
  },
  { noun: 'wanted state', notUndone: { left: 'what was adopted stays wanted until it is changed' } },
)
export type RecordedRow = RowOf<typeof recordedStates>

/** The differences that the last check found, which notifications are raised for. */
export const foundDrift = table(
  'drift_found',
  {
    item: text(40, { key: true }),
    kind: oneOf(driftKinds),
    name: text(4096),
    state: oneOf(driftStates),
    found_at: time(),
  },
  { notUndone: { left: 'what a check found is no change' } },
)
export type FoundRow = RowOf<typeof foundDrift>

/** One row, once there was a check. */
export const checks = table('drift_checks', { slot: integer({ key: true }), checked_at: time() })

declare module '../../store/tables.ts' {
  interface Tables {
    readonly drift_states: RecordedRow
    readonly drift_found: FoundRow
    readonly drift_checks: RowOf<typeof checks>
  }
}

/** Returns this area's queries. */
export function driftQueries(store: Store) {
  const { db } = store
  return {
    states: (): Promise<readonly RecordedRow[]> =>
      db.selectFrom('drift_states').selectAll().orderBy('kind').orderBy('name').execute(),
    /** Files whose mode and owner are not known, and that are not being written. */
    withoutRights: (): Promise<readonly RecordedRow[]> =>
      db
        .selectFrom('drift_states')
        .selectAll()
        .where('kind', '=', 'file')
        .where('rights', 'is', null)
        .where('state', 'is not', null)
        .where('expected', 'is', null)
        .execute(),
    found: (): Promise<readonly FoundRow[]> =>
      db.selectFrom('drift_found').selectAll().orderBy('found_at').execute(),
    /** When the last check was; undefined before the first. */
    checkedAt: async () => (await queriesOf(store, checks).find({ slot: 1 }))?.checked_at,
  }
}

export type DriftQueries = ReturnType<typeof driftQueries>

/** Returns the queries of a transaction that records wanted states. */
export const recordingQueries = (tx: Tx) => ({
  state: ({ kind, name }: Pick<RecordedRow, 'kind' | 'name'>): Promise<RecordedRow | undefined> =>
    tx
      .selectFrom('drift_states')
      .selectAll()
      .where('kind', '=', kind)
      .where('name', '=', name)
      .executeTakeFirst(),
  /** Services, and files that are written as a whole: a package takes them with it when it is removed. */
  statesOfPackages: (): Promise<readonly RecordedRow[]> =>
    tx
      .selectFrom('drift_states')
      .selectAll()
      .where('program', '=', '')
      .where('kind', '!=', 'account')
      .execute(),
})
