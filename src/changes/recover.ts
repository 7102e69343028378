import type { StepKind, StepPlan, StepState } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import type { Store } from '../store/store.ts'
import { jobRow } from '../jobs/draft.ts'
import { appendActivity } from './activity.ts'
import type { ChangeOutcome, ChangeRow } from './tables.ts'
import { undoSteps } from './undo.ts'
import { type StepKinds, unpackWork, type Work } from './work.ts'

/** How a change that was cut off was settled. */
export interface Recovery {
  readonly changeId: number
  readonly outcome: ChangeOutcome
  readonly message: string
}

/**
 * Settles what a killed panel left unsettled: where every step stands as wanted, the change is completed; otherwise the steps
 * that acted are undone. Runs before the first request is taken.
 */
export async function recoverChanges(store: Store, kinds: StepKinds, log: Log): Promise<readonly Recovery[]> {
  const rows = await store.db
    .selectFrom('changes')
    .selectAll()
    .where('state', '=', 'intended')
    .orderBy('id', 'desc')
    .execute()
  const recoveries: Recovery[] = []
  for (const row of rows) {
    const recovery = await recover(store, kinds, row)
    log.warn({ ...recovery }, 'a change that was cut off has been settled')
    recoveries.push(recovery)
  }
  return recoveries
}

async function recover(store: Store, kinds: StepKinds, row: ChangeRow): Promise<Recovery> {
  const work = unpackWork(store, row.work as string)
  const obstacle = await complete(store, kinds, row, work)
  if (obstacle === undefined) return { changeId: row.id, outcome: 'ok', message: row.summary }
  const failures = await undoSteps(work, kinds)
  const left = await remains(work, kinds)
  const outcome = failures.length + left.length > 0 ? 'failed' : 'restored'
  const message = [
    'cut off by a restart of the panel',
    obstacle,
    ...failures.map((failure) => `undo: ${failure.message}`),
    ...left,
  ]
    .filter(Boolean)
    .join('; ')
    .slice(0, 4000)
  await settle(store, row, { outcome, message })
  return { changeId: row.id, outcome, message }
}

/** Completes a change whose every step stands as wanted; otherwise answers what stood in the way. One change must not keep the panel from starting. */
async function complete(
  store: Store,
  kinds: StepKinds,
  row: ChangeRow,
  work: Work,
): Promise<string | undefined> {
  try {
    if (!(await isDone(work, kinds))) return ''
    await settle(store, row, { outcome: 'ok', message: `${row.summary} (completed after a restart)`, work })
    return undefined
  } catch (error) {
    return `it could not be completed: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function isDone(work: Work, kinds: StepKinds): Promise<boolean> {
  for (const step of work.steps) {
    const kind = kinds.get(step.kind)
    if (!step.isActing || kind === undefined) return false
    if ((await kind.check(step.args, step.before)) !== 'wanted') return false
  }
  return true
}

/** What may stand in part after all was undone that can be: where a step cannot take back what it did, somebody has to look. */
async function remains(work: Work, kinds: StepKinds): Promise<readonly string[]> {
  const left: string[] = []
  for (const step of work.steps) {
    const kind = kinds.get(step.kind)
    if (!step.isActing || kind === undefined) continue
    const { title, irreversible } = await planOf(kind, step.args)
    if (irreversible !== undefined && (await stateOf(kind, step)) === 'other')
      left.push(`${title}: it may stand in part`)
  }
  return [...new Set(left)]
}

async function planOf(kind: StepKind, args: unknown): Promise<StepPlan> {
  try {
    return await kind.plan(args)
  } catch {
    return { title: kind.name } // what it was to work on is gone, and its traces with it
  }
}

async function stateOf(kind: StepKind, { args, before }: Work['steps'][number]): Promise<StepState> {
  try {
    return await kind.check(args, before)
  } catch {
    return 'other' // nobody can tell
  }
}

interface Settlement {
  readonly outcome: ChangeOutcome
  readonly message: string
  readonly work?: Work
}

async function settle(store: Store, row: ChangeRow, { outcome, message, work }: Settlement): Promise<void> {
  const now = new Date()
  const jobs = (work?.jobs ?? []).map((draft) => jobRow(store, draft, store.nextId('jobs'), now))
  await store.transaction(async (tx) => {
    await store.write(tx, [
      {
        write: 'update',
        table: 'changes',
        where: { id: row.id },
        set: {
          state: 'settled',
          outcome,
          error: outcome === 'ok' ? null : message,
          settled_at: now.toISOString(),
          ...(outcome !== 'ok' && { idempotency_key: null }),
        },
      },
      ...(work?.rows ?? []),
      ...jobs,
    ])
    const { action, user_id, key_id, ip, method, path, request, request_id } = row
    const duration_ms = now.getTime() - Date.parse(row.created_at)
    await appendActivity(store, tx, {
      action,
      user_id,
      key_id,
      ip,
      method,
      path,
      request,
      request_id,
      status: outcome,
      message,
      duration_ms,
      change_id: row.id,
      created_at: now.toISOString(),
    })
  })
}
