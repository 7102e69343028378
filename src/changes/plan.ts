import { createHash } from 'node:crypto'
import type { Change, StepPlan } from '../core/change.ts'
import { nameGaps } from '../core/gaps.ts'

/** The effects of a change that has not been carried out. */
export interface ChangePlan {
  readonly summary: string
  readonly steps: readonly StepPlan[]
  /** The rows of the panel's own store that would be written, without their values. */
  readonly rows: readonly {
    readonly write: string
    readonly table: string
    readonly columns: readonly string[]
  }[]
  readonly jobs: readonly string[]
  /** The effects that no step shows, and those of the jobs, in a sentence each. */
  readonly details: readonly string[]
  readonly is_reversible: boolean
}

/** The plan of a change, and the digest by which a later request can name it. */
export interface DescribedChange extends ChangePlan {
  /** Of the plan, of what it is made from, and of the state of the rows that would be replaced. */
  readonly digest: string
}

/** Describes a change without carrying it out. */
export async function describeChange(change: Change): Promise<DescribedChange> {
  const steps = await Promise.all(
    change.steps.map(async ({ kind, args, live }) => {
      const named = nameGaps(args, change.steps)
      // a preview needs results that do not exist yet
      return { ...(await kind.plan(named)), ...(named === args && (await kind.preview?.(args, live))) }
    }),
  )
  const details = await Promise.all(change.jobs.map(async ({ preview }) => (await preview?.()) ?? []))
  const bases = await Promise.all(
    change.steps.map(async ({ kind, args }) =>
      nameGaps(args, change.steps) === args ? await kind.basis?.(args) : undefined,
    ),
  )
  const plan = {
    summary: change.summary,
    steps,
    rows: change.rows.map((row) => ({
      write: row.write,
      table: row.table,
      columns: Object.keys(
        row.write === 'insert' ? row.values : row.write === 'update' ? row.set : row.where,
      ),
    })),
    jobs: change.jobs.map(({ title }) => title),
    details: [...(change.details ?? []), ...details.flat()],
    is_reversible: steps.every((step) => step.irreversible === undefined),
  }
  return { ...plan, digest: digestOf(plan, change, bases) }
}

/** A row is replaced under a condition, such as its revision; what is written into it may contain the time of day. */
function digestOf(plan: ChangePlan, { rows }: Change, bases: readonly (string | undefined)[]): string {
  const conditions = rows.map((row) => (row.write === 'insert' ? null : row.where))
  return createHash('sha256')
    .update(JSON.stringify([plan, conditions, bases]))
    .digest('hex')
}
