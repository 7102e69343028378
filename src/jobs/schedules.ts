import { Cron } from 'croner'
import type { RowWrite } from '../core/change.ts'
import type { JobKind, WorkKind } from '../core/job.ts'
import { insertRow, updateRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ScheduleRow } from './tables.ts'

/** When a kind of work is enqueued, with which input, and for whom. */
interface ScheduleDraft {
  readonly kind: Pick<WorkKind, 'kind'>
  readonly input: unknown
  readonly title: string
  /** A cron expression, in the time zone. */
  readonly cron: string
  /** An IANA time zone, such as `Europe/Berlin`. */
  readonly zone: string
  /** The user in whose name it runs. */
  readonly owner: number | null
  readonly enabled: boolean
}

/** Returns the schedule with this name; undefined if there is none. */
export const scheduleNamed = (store: Store, name: string): Promise<ScheduleRow | undefined> =>
  store.db.selectFrom('schedules').selectAll().where('name', '=', name).executeTakeFirst()

/** Returns the write that makes this the schedule of a name; `earlier` is the schedule that it replaces. */
export function schedule(
  store: Store,
  name: string,
  draft: ScheduleDraft,
  earlier: ScheduleRow | undefined,
): RowWrite {
  assertCron(draft)
  const values = {
    kind: draft.kind.kind,
    input: store.seal(JSON.stringify(draft.input)),
    title: draft.title,
    cron: draft.cron,
    zone: draft.zone,
    owner_id: draft.owner,
    is_enabled: Number(draft.enabled),
    next_run: null,
  }
  if (earlier !== undefined) return updateRow('schedules', { id: earlier.id }, values)
  return insertRow('schedules', {
    id: store.nextId('schedules'),
    name,
    ...values,
    is_declared: 0,
    last_run: null,
    last_job_id: null,
  })
}

/** Returns the first run after a time; null if there is none. */
export function nextRun({ cron, zone }: Pick<ScheduleRow, 'cron' | 'zone'>, after: Date): string | null {
  const clock = new Cron(cron, { timezone: zone, paused: true })
  return clock.nextRun(after)?.toISOString() ?? null
}

const assertCron = (draft: Pick<ScheduleRow, 'cron' | 'zone'>) => void nextRun(draft, new Date())

/** Stores the schedules of jobs that the code declares; those that it no longer declares are removed. */
export async function storeDeclared(store: Store, kinds: readonly JobKind[]): Promise<void> {
  const declared = kinds.flatMap(({ kind, schedule: cron }) => (cron === undefined ? [] : [{ kind, cron }]))
  const rows = await store.db.selectFrom('schedules').selectAll().where('is_declared', '=', 1).execute()
  const names = new Set(declared.map(({ kind }) => kind))
  const writes = declared.flatMap(({ kind, cron }): readonly RowWrite[] => {
    const row = rows.find(({ name }) => name === kind)
    if (row === undefined) return [insertRow('schedules', declaredRow(store, kind, cron))]
    return row.cron === cron ? [] : [updateRow('schedules', { id: row.id }, { cron, next_run: null })]
  })
  const gone = rows.filter(({ name }) => !names.has(name))
  await store.transaction(async (tx) => {
    await store.write(tx, writes)
    for (const { id } of gone) await tx.deleteFrom('schedules').where('id', '=', id).execute()
  })
}

const declaredRow = (store: Store, kind: string, cron: string): ScheduleRow => ({
  id: store.nextId('schedules'),
  name: kind,
  kind,
  input: store.seal('{}'),
  title: kind,
  cron,
  zone: 'UTC',
  owner_id: null,
  is_enabled: 1,
  is_declared: 1,
  last_run: null,
  next_run: null,
  last_job_id: null,
})
