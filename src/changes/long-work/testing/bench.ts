import Type from 'typebox'
import { existsSync, readFileSync } from 'node:fs'
import type { Caller } from '../../../core/caller.ts'
import { change, step, type StepKind } from '../../../core/change.ts'
import { signedIn } from '../../../core/guard.ts'
import { lock } from '../../../core/lock.ts'
import type { WorkKind } from '../../../core/job.ts'
import { problem } from '../../../core/problem.ts'
import { from } from '../../../core/returned.ts'
import { Secret } from '../../../core/schemas.ts'
import { openJobs } from '../../../jobs/queue.ts'
import type { Store } from '../../../store/store.ts'
import { openExecutor } from '../../executor.ts'
import type { Programs } from '../../programs.ts'
import { entry, fileStep, quiet } from '../../testing/parcel.ts'
import { type Asked, openLongWork } from '../index.ts'

export const Taken = problem('taken', 409, 'The label is taken')

const Input = Type.Object({ directory: Type.String(), label: Type.String(), password: Secret() })
const Sent = Type.Object({ id: Type.Integer(), wrote: Type.String() })

interface Parcels {
  readonly store: Store
  readonly kind: StepKind<any, any, any>
  /** The job of each decision. */
  readonly decisions: (number | undefined)[]
}

export const person: Caller = {
  ip: '192.0.2.1',
  userAgent: '',
  requestId: 'r-1',
  user: { id: 1, email: 'a@example.com', isAdmin: true, username: null },
  permissions: new Set(),
  sessionId: 1,
  keyId: null,
}

/** The lock of one label. */
export const boxLock = lock('box')

/** The steps of a parcel: `next` and the reply hold what the first step returns. */
export const workFiles = ['first', 'next', 'last'] as const

/** The label of a parcel that further work follows. */
export const thanked = 'thanked'

/** Follows a parcel: one more file. */
const thanking: WorkKind<Parcels, { directory: string }, { wrote: string }> = {
  kind: 'parcel.thank',
  input: Type.Object({ directory: Type.String() }),
  reply: Type.Object({ wrote: Type.String() }),
  timeoutMs: 30_000,
  attempts: 1,
  resumes: true,
  decide: ({ input: { directory }, kind }) => {
    const thanks = step(kind, { path: `${directory}/thanks`, text: 'thank you' })
    return change({
      summary: `Thank for ${thanked}`,
      locks: [boxLock(thanked)],
      steps: [thanks],
      reply: { wrote: from(thanks, 'wrote') },
    })
  },
}

/** Sends a parcel: three files, a row and a reply that hold what the first step returns. */
export const sending: WorkKind<
  Parcels,
  { directory: string; label: string; password: string },
  { id: number; wrote: string }
> = {
  kind: 'parcel.send',
  input: Input,
  reply: Sent,
  timeoutMs: 30_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { directory, label }, jobId, store, kind, decisions }) => {
    decisions.push(jobId)
    const taken = await store.db
      .selectFrom('parcels')
      .select('id')
      .where('label', 'like', `${label} %`)
      .execute()
    if (taken.length > 0) throw Taken(`label: ${label} is taken`)
    const thanks = { kind: thanking.kind, input: { directory }, ownerId: 1, title: 'Thank for it' }
    const first = step(kind, { path: `${directory}/first`, text: `text of ${label}` })
    const wrote = from(first, 'wrote')
    const row = { write: 'insert' as const, table: 'parcels', values: { id: 7, label: wrote, revision: 1 } }
    return change({
      summary: `Send ${label}`,
      locks: [boxLock(label)],
      steps: [
        first,
        step(kind, { path: `${directory}/next`, text: wrote }),
        step(kind, { path: `${directory}/last`, text: null }),
      ],
      rows: [row],
      jobs: label === thanked ? [thanks] : [],
      reply: { id: 7, wrote },
    })
  },
}

/** The step on a file, which is registered again after a kill. */
export function foundAgain(onHalf?: Parameters<typeof fileStep>[1]): StepKind<any, any, any> {
  return {
    ...fileStep('file.write', onHalf),
    again: async ({ path, text }: { readonly path: string; readonly text: string }) =>
      existsSync(path) && readFileSync(path, 'utf8') === text ? { wrote: path } : undefined,
  }
}

interface BenchOptions {
  readonly kind?: StepKind<any, any, any>
  readonly work?: Partial<WorkKind>
  readonly onPoint?: (point: string) => void
  readonly callerOf?: () => Promise<Caller | undefined>
  readonly programs?: Programs
}

/** Long work over a store of parcels. Nothing is recovered or started yet. */
export function openWorkBench(store: Store, options: BenchOptions = {}) {
  const { kind = foundAgain(), onPoint, callerOf = async () => person, programs } = options
  const decisions: (number | undefined)[] = []
  const isWork = (name: string) => [sending.kind, thanking.kind].includes(name)
  const executor = openExecutor({ store, log: quiet, isWork, ...(onPoint && { onPoint }) })
  const jobs = openJobs(store, quiet, { retryMs: 10, storeRetryMs: 10 })
  const work = openLongWork({ store, log: quiet, executor, jobs, retryMs: 10, ...(programs && { programs }) })
  const sent: WorkKind = { ...sending, ...options.work }
  const context = { store, kind, decisions }
  const bound = { kind: sent, context, guards: [signedIn] }
  work.register([bound, { kind: thanking, context, guards: [signedIn] }], callerOf)
  const start = () => jobs.start(work.bound, work)
  return {
    store,
    executor,
    jobs,
    work,
    decisions,
    start,
    /** Does the same as a start of the panel. */
    recoverAndStart: async () => {
      const { settled } = await work.recover(new Map([[kind.name, kind]]))
      await start()
      return settled
    },
    asked: (directory: string, more: Partial<Asked> & { readonly label?: string } = {}): Asked => ({
      kind: sent,
      input: async () => ({ directory, label: more.label ?? 'box', password: 'open sesame' }),
      caller: person,
      actor: { entry },
      signal: new AbortController().signal,
      ...more,
    }),
    close: async () => {
      await jobs.stop()
      await work.close()
      await executor.close()
    },
  }
}
