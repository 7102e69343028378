import type { Changed } from '../core/change.ts'
import type { JobRow } from '../jobs/tables.ts'
import type { Store } from '../store/store.ts'
import type { ChangeRow } from './tables.ts'
import { type StepKinds, unpackWork } from './work.ts'

/** One step of a stored change, with its progress. */
export interface ShownStep {
  /** The title of its plan. */
  readonly title: string
  readonly state: 'waiting' | 'running' | 'done' | 'undone' | 'failed'
}

/**
 * Returns the steps of the change that a job carries out; none before it acts, and once it is too old to be
 * undone.
 */
export async function stepsOfJob(
  store: Store,
  kinds: StepKinds,
  job: Pick<JobRow, 'change_id' | 'state'>,
): Promise<readonly ShownStep[]> {
  const row = await store.db
    .selectFrom('changes')
    .select(['state', 'outcome', 'work'])
    .where('id', '=', job.change_id)
    .executeTakeFirst()
  if (row === undefined || row.work === null) return []
  const { steps } = unpackWork(store, row.work)
  const last = steps.findLastIndex(({ isActing }) => isActing)
  return Promise.all(
    steps.map(async ({ kind, args }, index) => ({
      title: await titleOf(kinds, kind, args),
      state: job.state === 'failed' && index === last ? 'failed' : stateOf(row, index, last),
    })),
  )
}

/** One step of a settled change, with what it has changed. */
export type ChangedStep = { readonly title: string } & Changed

/** Returns the steps of a change that succeeded; none once it is too old to be undone. */
export async function changedSteps(
  store: Store,
  kinds: StepKinds,
  changeId: number | null,
): Promise<readonly ChangedStep[]> {
  const row = await store.db
    .selectFrom('changes')
    .select(['outcome', 'work'])
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (row === undefined || row.outcome !== 'ok' || row.work === null) return []
  return Promise.all(
    unpackWork(store, row.work).steps.map(async ({ kind, args, before }) => ({
      title: await titleOf(kinds, kind, args),
      ...kinds.get(kind)?.changed?.(args, before),
    })),
  )
}

/** The state of a step, where `last` is the index of the last step that has begun. */
function stateOf(
  { state, outcome }: Pick<ChangeRow, 'state' | 'outcome'>,
  index: number,
  last: number,
): ShownStep['state'] {
  if (outcome === 'ok') return 'done'
  if (index > last) return 'waiting'
  if (state !== 'settled') return index < last ? 'done' : 'running'
  if (outcome === 'failed') return 'failed' // what was undone is in the message of the change
  return 'undone'
}

/** A step whose arguments wait for the result of another may have no plan yet. */
async function titleOf(kinds: StepKinds, name: string, args: unknown): Promise<string> {
  try {
    return (await kinds.get(name)?.plan(args))?.title ?? name
  } catch {
    return name
  }
}
