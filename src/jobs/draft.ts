import type { JobDraft, RowWrite } from '../core/change.ts'
import { insertRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The change that a job carries out, and the locks that it will need. */
export interface Carried {
  readonly changeId: number
  readonly locks: readonly string[]
}

/** Returns the write that enqueues a job, which runs once its transaction has committed. */
export function jobRow(
  store: Store,
  draft: JobDraft,
  { id, now, carried }: { readonly id: number; readonly now: Date; readonly carried?: Carried },
): RowWrite {
  const at = now.toISOString()
  return insertRow('jobs', {
    id,
    kind: draft.kind,
    title: draft.title,
    input: store.seal(JSON.stringify(draft.input)),
    change_id: carried?.changeId ?? null,
    locks: carried === undefined ? null : JSON.stringify(carried.locks),
    owner_id: draft.ownerId,
    state: 'queued',
    percent: null,
    message: 'Waiting to start',
    attempt: 0,
    is_cancelling: 0,
    run_after: at,
    lease_until: null,
    created_at: at,
    started_at: null,
    finished_at: null,
    result: null,
    error: null,
  })
}
