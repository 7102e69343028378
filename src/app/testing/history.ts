import { sql } from 'kysely'
import { appendActivity } from '../../changes/activity.ts'
import { entry } from '../../changes/testing/parcel.ts'
import { insertRow } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'

const dayMs = 86_400_000
const entries = 1007

/** Stores what a panel keeps of a month, all of it younger than it keeps it. */
export async function storeHistory(
  store: Store,
  { userId, until }: { readonly userId: number; readonly until: number },
): Promise<void> {
  const at = (days: number) => new Date(until - days * dayMs).toISOString()
  const work = store.seal('[]')
  await store.transaction(async (tx) => {
    const outcome = { status: 'ok', duration_ms: 1, change_id: null } as const
    for (let index = 0; index < entries; index++) {
      const created_at = at(30 - (index * 29) / entries)
      await appendActivity(store, tx, { ...entry, ...outcome, message: `entry ${index}`, created_at })
    }
  })
  const rows = Array.from({ length: 29 }, (_, index) => at(index + 1)).flatMap((time) => [
    insertRow('jobs', { id: store.nextId('jobs'), ...job, ...timesOf(time) }),
    insertRow('file_versions', { id: store.nextId('file_versions'), ...version(userId, time) }),
    insertRow('changes', {
      id: store.nextId('changes'),
      ...settled,
      work,
      created_at: time,
      settled_at: time,
    }),
  ])
  const id = store.nextId('file_uploads')
  const times = { created_at: at(0), expires_at: at(-1) }
  const all = [...rows, insertRow('file_uploads', { id, user_id: userId, ...upload, ...times })]
  await store.transaction((tx) => store.write(tx, all))
}

const job = {
  kind: 'x',
  title: 'kept',
  input: '',
  owner_id: null,
  change_id: null,
  locks: null,
  state: 'succeeded',
  percent: 100,
  message: 'Done',
  attempt: 1,
  is_cancelling: 0,
  lease_until: null,
  result: null,
  error: null,
} as const
const timesOf = (time: string) => ({
  run_after: time,
  created_at: time,
  started_at: time,
  finished_at: time,
})
const version = (owner_id: number, time: string) =>
  ({
    owner_id,
    path: 'a',
    path_bytes: 'a',
    sha256: null,
    size_bytes: 1,
    stored_bytes: 0,
    mode: 420,
    not_kept: 'too_large',
    written_at: time,
    written_by: null,
    written_through: null,
    replaced_at: time,
    replaced_by: null,
    replaced_through: 'write',
  }) as const
const settled = {
  mcp_key_id: null,
  ...entry,
  summary: 'kept',
  state: 'settled',
  outcome: 'ok',
  idempotency_key: null,
  confirm_until: null,
  not_undone: null,
  undone_at: null,
  outbox: null,
  job_id: null,
  locks: null,
  request_digest: null,
  reply: null,
  error: null,
} as const
const upload = {
  username: 'alice',
  name: '1-x',
  path: '"a"',
  size_bytes: 9,
  sha256: null,
  if_match: null,
  overwrite: 0,
  state: 'open',
  firm_bytes: 0,
  sealed_etag: null,
  file: null,
} as const

/** Counts what is there of it. */
export const historyCounts = `select
  (select count(*) from activity where id <= ${entries}) as entries,
  (select count(*) from jobs where title = 'kept') as jobs,
  (select count(*) from file_versions) as versions,
  (select count(*) from file_uploads) as uploads,
  (select count(*) from changes where summary = 'kept' and work is not null) as undoable,
  (select count(*) from sessions where id = 1) as sessions`

/** How much of it is there. */
export async function countHistory({ db }: Store) {
  const { rows } = await sql.raw<Record<string, number>>(historyCounts).execute(db)
  return { ...rows[0] }
}
