import type { Caller } from '../../core/caller.ts'
import type { Change } from '../../core/change.ts'
import { withoutEffect } from '../../core/deciding.ts'
import type { WorkKind } from '../../core/job.ts'
import { storedLocks } from '../../core/lock.ts'
import { jobRow } from '../../jobs/draft.ts'
import type { Tx } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { type Actor, queuedRow } from '../actor.ts'
import { earlierChange, type Idempotency, keyName } from '../idempotency.ts'
import type { DescribedChange } from '../plan.ts'
import type { Working } from './working.ts'

/** A request for work. */
export interface Asked {
  readonly kind: WorkKind
  /** Called once, unless the request joins an earlier one. */
  readonly input: () => Promise<unknown>
  readonly caller: Caller | null
  readonly actor: Actor
  readonly idempotency?: Idempotency
  /** Ends the deciding: the caller disconnected. */
  readonly signal: AbortSignal
}

/** The job of new work, or of the work that the request joined. */
export interface Ordered {
  readonly changeId: number
  readonly jobId: number
  readonly isRepeat: boolean
}

/** Takes orders of work. */
export function openOrders(working: Working) {
  const deciding = new Map<string, { readonly digest: string; readonly ordered: Promise<Ordered> }>()
  return {
    plan: (asked: Asked): Promise<DescribedChange> =>
      working.executor.plan(async () => {
        const { change } = await decideNew(working, asked)
        await refuseFurther(working.store.db, asked)
        return change
      }),
    ask: async (asked: Asked): Promise<Ordered> => {
      const { idempotency, actor } = asked
      if (idempotency === undefined) return order(working, asked)
      const name = keyName(actor.entry.user_id, idempotency.key)
      const first = deciding.get(name)
      if (first?.digest === idempotency.digest) return { ...(await first.ordered), isRepeat: true }
      // throws if another request uses the key
      const release = working.executor.keys.claim(actor, idempotency)
      const ordered = joinOrOrder(working, asked, idempotency)
      deciding.set(name, { digest: idempotency.digest, ordered })
      return ordered.finally(() => {
        deciding.delete(name)
        release()
      })
    },
  }
}

async function joinOrOrder(working: Working, asked: Asked, idempotency: Idempotency): Promise<Ordered> {
  const earlier = await earlierChange(working.store, asked.actor, idempotency)
  const jobId = earlier?.job_id ?? undefined
  if (earlier && jobId !== undefined) return { changeId: earlier.id, jobId, isRepeat: true }
  return order(working, asked)
}

async function order(working: Working, asked: Asked): Promise<Ordered> {
  const { store, executor } = working
  const { input, change } = await withoutEffect(() => decideNew(working, asked))
  executor.assertStorable(change)
  const [changeId, jobId, now] = [store.nextId('changes'), store.nextId('jobs'), new Date()]
  const draft = {
    kind: asked.kind.kind,
    input,
    ownerId: asked.caller?.user.id ?? null,
    title: change.summary.slice(0, 200).toWellFormed(),
  }
  const carried = { changeId, locks: change.locks }
  const values = queuedRow({
    id: changeId,
    jobId,
    change,
    actor: asked.actor,
    idempotency: asked.idempotency,
    now,
  })
  await store.transaction(async (tx) => {
    await refuseSecond(tx, asked.kind, change)
    await refuseFurther(tx, asked)
    const job = jobRow(store, draft, { id: jobId, now, carried })
    await store.write(tx, [{ write: 'insert', table: 'changes', values }, job])
  })
  return { changeId, jobId, isRepeat: false }
}

async function decideNew(
  working: Working,
  asked: Asked,
): Promise<{ readonly input: unknown; readonly change: Change }> {
  const { kind, caller, signal } = asked
  const input = await asked.input()
  const bound = working.kindOf(kind.kind)
  if (bound === undefined) throw new Error(`the kind of work ${kind.kind} is not among the jobs of an area`)
  signal.throwIfAborted()
  return { input, change: await working.decide(bound, { input, caller, jobId: undefined, signal }) }
}

/** Some kinds of work are not queued twice for the same object. */
async function refuseSecond(tx: Tx, { kind, single }: WorkKind, change: Change): Promise<void> {
  if (single === undefined) return
  const rows = await tx
    .selectFrom('jobs')
    .select(['id', 'locks'])
    .where('kind', '=', kind)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  const names = new Set<string>(change.locks)
  const isShared = ({ locks }: { readonly locks: string | null }) =>
    storedLocks(locks).some((name) => names.has(name))
  const other = rows.find(isShared)
  if (other !== undefined) throw single(undefined, { fields: { job_id: other.id } })
}

/** Of some kinds a caller may have only a few at a time. */
async function refuseFurther(
  db: Store['db'] | Tx,
  { kind: { kind, most }, caller }: Pick<Asked, 'kind' | 'caller'>,
): Promise<void> {
  if (most === undefined || caller === null) return
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('owner_id', '=', caller.user.id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  if (Number(count) >= most.perCaller) throw most.refusal(Number(count))
}
