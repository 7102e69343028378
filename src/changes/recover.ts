import type { StepKind, StepPlan, StepState } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import { DiskFull, Problem } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { jobRow } from '../jobs/draft.ts'
import { appendActivity } from './activity.ts'
import { keyName } from './idempotency.ts'
import type { ChangeOutcome, ChangeRow } from './tables.ts'
import { undoSteps } from './undo.ts'
import type { Unsettled } from './unsettled.ts'
import { type StepKinds, unpackWork, type Work } from './work.ts'

/** How a change that was cut off was settled. */
export interface Recovery {
  readonly changeId: number
  readonly outcome: ChangeOutcome
  readonly message: string
}

interface Recovering {
  readonly store: Store
  readonly log: Log
  readonly unsettled: Unsettled
}

/**
 * Settles what a killed panel left unsettled: where every step stands as wanted, the change is completed; otherwise the steps
 * that acted are undone. Runs before the first request is taken. What a full disk does not take is settled later.
 */
export async function recoverChanges(
  { store, log, unsettled }: Recovering,
  kinds: StepKinds,
): Promise<readonly Recovery[]> {
  const rows = await store.db
    .selectFrom('changes')
    .selectAll()
    .where('state', '=', 'intended')
    .orderBy('id', 'desc')
    .execute()
  const recoveries: Recovery[] = []
  const settleOne = async (row: ChangeRow): Promise<void> => {
    const recovery = await recover(store, kinds, row)
    log.warn({ ...recovery }, 'a change that was cut off has been settled')
    recoveries.push(recovery)
  }
  for (const row of rows) {
    try {
      await settleOne(row)
    } catch (error) {
      if (!isDiskFull(error) || row.locks === null) throw error // without its locks nothing would keep later changes away
      log.error({ err: error, changeId: row.id }, 'a change that was cut off could not be settled')
      const key = row.idempotency_key === null ? [] : [keyName(row.user_id, row.idempotency_key)]
      const names = [...namesOf(row.locks), ...key]
      unsettled.add({ changeId: row.id, names, finish: () => settleOne(row), error })
    }
  }
  return recoveries
}

const isDiskFull = (error: unknown): boolean => error instanceof Problem && error.kind === DiskFull
const namesOf = (locks: string): readonly string[] => JSON.parse(locks)
const cutOff = 'cut off by a restart of the panel'

async function recover(store: Store, kinds: StepKinds, row: ChangeRow): Promise<Recovery> {
  const later = await overtakenBy(store, row)
  if (later !== undefined) {
    const message = `${cutOff}; change ${later} has held the same locks since, so nothing was undone: look at what it was to change`
    await settle(store, row, { outcome: 'failed', message })
    return { changeId: row.id, outcome: 'failed', message }
  }
  const work = unpackWork(store, row.work as string)
  const obstacle = await complete(store, kinds, row, work)
  if (obstacle === undefined) return { changeId: row.id, outcome: 'ok', message: row.summary }
  const { failures } = await undoSteps(work, kinds)
  const left = await remains(work, kinds)
  const outcome = failures.length + left.length > 0 ? 'failed' : 'restored'
  const message = [cutOff, obstacle, ...failures.map((failure) => `undo: ${failure.message}`), ...left]
    .filter(Boolean)
    .join('; ')
    .slice(0, 4000)
  await settle(store, row, { outcome, message })
  return { changeId: row.id, outcome, message }
}

/**
 * The later change that held one of the same locks and left something behind: undoing under it would undo its work. An older
 * panel stored no locks, and could leave a change unsettled for long: there any later change counts.
 */
async function overtakenBy(store: Store, { id, locks }: ChangeRow): Promise<number | undefined> {
  const rows = await store.db
    .selectFrom('changes')
    .select(['id', 'locks'])
    .where('id', '>', id)
    .where('state', '=', 'settled')
    .where('outcome', '!=', 'restored')
    .orderBy('id')
    .execute()
  const names = locks === null ? undefined : new Set(namesOf(locks))
  const isShared = (other: string | null): boolean =>
    names === undefined || other === null || namesOf(other).some((name) => names.has(name))
  return rows.find((row) => isShared(row.locks))?.id
}

/** Completes a change whose every step stands as wanted; otherwise answers what stood in the way. One change must not keep the panel from starting. */
async function complete(
  store: Store,
  kinds: StepKinds,
  row: ChangeRow,
  work: Work,
): Promise<string | undefined> {
  try {
    for (const { kind, args, before, isActing } of work.steps)
      if (isActing) await kinds.get(kind)?.recover?.(args, before)
    if (!(await isDone(work, kinds))) return ''
  } catch (error) {
    return obstacleOf(error)
  }
  try {
    await settle(store, row, { outcome: 'ok', message: `${row.summary} (completed after a restart)`, work })
    return undefined
  } catch (error) {
    if (isDiskFull(error)) throw error // it can be completed once there is room
    return obstacleOf(error)
  }
}

const obstacleOf = (error: unknown): string =>
  `it could not be completed: ${error instanceof Error ? error.message : String(error)}`

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
