import type { Verification } from '../../changes/activity.ts'
import { boolean, integer, optional, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { type RowOf, table } from '../../store/table.ts'

/** One row: what the last check of each night has found. */
export const verifications = table(
  'activity_verifications',
  {
    slot: integer({ key: true }),
    verified_at: time(),
    is_whole: boolean(),
    checked: optional(integer()),
    first_id: optional(integer()),
    last_id: optional(integer()),
    broken_at: optional(integer()),
    reason: optional(text(300)),
  },
  { notUndone: { left: 'what a check has found is no change', unchecked: [] } },
)

declare module '../../store/tables.ts' {
  interface Tables {
    readonly activity_verifications: RowOf<typeof verifications>
  }
}

/** What a check of the whole chain has found, and when. */
export type DatedVerification = Verification & { readonly verified_at: string }

/** Keeps what the check of the night has found. */
export async function keepVerification(
  store: Store,
  { verified_at, ...found }: DatedVerification,
): Promise<void> {
  const values = found.ok
    ? { is_whole: true, checked: found.checked, first_id: found.from, last_id: found.to }
    : { is_whole: false, broken_at: found.broken_at, reason: found.reason.slice(0, 300) }
  const row = verifications.row({ slot: 1, verified_at, ...values })
  await store.transaction((tx) =>
    store.write(tx, [verifications.delete({ slot: 1 }), verifications.insert(row)]),
  )
}

/** Returns what the check of the last night has found; undefined before the first. */
export async function keptVerification({ db }: Store): Promise<DatedVerification | undefined> {
  const row = await db
    .selectFrom('activity_verifications')
    .selectAll()
    .where('slot', '=', 1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { verified_at } = row
  return row.is_whole === 1
    ? { ok: true, checked: row.checked ?? 0, from: row.first_id ?? 0, to: row.last_id ?? 0, verified_at }
    : { ok: false, broken_at: row.broken_at ?? 0, reason: row.reason ?? '', verified_at }
}
