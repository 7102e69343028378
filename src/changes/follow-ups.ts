import type { JobDraft, RowWrite } from '../core/change.ts'
import { jobRow } from '../jobs/draft.ts'
import type { Store } from '../store/store.ts'
import { type Actor, queuedRow } from './actor.ts'

interface Following {
  /** The entry of the change that they follow. */
  readonly entry: Actor['entry']
  readonly now: Date
  /** True if a kind of job is long work, which is carried out as a change. */
  readonly isWork: (kind: string) => boolean
}

/**
 * Returns the jobs that a settling change enqueues, and the writes of its transaction for them. Long work gets a
 * queued change of its own, on behalf of the same caller.
 */
export function followUps(store: Store, drafts: readonly JobDraft[], { entry, now, isWork }: Following) {
  const jobs = drafts.map((draft) => {
    const id = store.nextId('jobs')
    if (!isWork(draft.kind)) return { id, writes: [jobRow(store, draft, { id, now })] }
    return { id, writes: queuedWork(store, draft, { jobId: id, entry: entryOfWork(entry, draft), now }) }
  })
  return { jobIds: jobs.map(({ id }) => id), writes: jobs.flatMap(({ writes }) => writes) }
}

interface Queuing {
  readonly jobId: number
  readonly entry: Actor['entry']
  readonly now: Date
}

/** Returns the writes of a queued change and its job. Its locks are known once it is decided, at its turn. */
function queuedWork(store: Store, draft: JobDraft, { jobId, entry, now }: Queuing): readonly RowWrite[] {
  const changeId = store.nextId('changes')
  const change = { summary: draft.title, locks: [] }
  const values = queuedRow({ id: changeId, jobId, change, actor: { entry }, idempotency: undefined, now })
  const carried = { changeId, locks: [] }
  return [{ write: 'insert', table: 'changes', values }, jobRow(store, draft, { id: jobId, now, carried })]
}

/** It is decided on its own input, which no request contained. */
const entryOfWork = (entry: Actor['entry'], { kind }: JobDraft): Actor['entry'] => ({
  ...entry,
  action: actionOf(kind),
  request: '{}',
})

/** Returns the writes that queue the work of a schedule, in the name of its owner. */
export function scheduledWork(
  store: Store,
  draft: JobDraft,
  { jobId, now }: Omit<Queuing, 'entry'>,
): readonly RowWrite[] {
  const entry = {
    action: actionOf(draft.kind),
    user_id: draft.ownerId,
    key_id: null,
    ip: 'local',
    method: 'POST',
    path: `/api/jobs/${jobId}`,
    request: '{}',
    request_id: `job-${jobId}`,
  }
  return queuedWork(store, draft, { jobId, entry, now })
}

/** The action of work that no endpoint asked for: `programs.serve_again` is `programs_serve_again`. */
const actionOf = (kind: string): string => kind.replaceAll(/[.-]/g, '_')
