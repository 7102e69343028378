import { change, step } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { overStates } from '../../jobs/tables.ts'
import { type SqlReplication, work } from './context.ts'
import { SyncDraft, type SyncEvent, Synchronised } from './model.ts'
import { WouldReplace } from './problems.ts'
import { following } from './replica.ts'
import { loadReplica, peerOf, serverLock } from './role.ts'
import { databasesOf } from './steps.ts'
import { syncKind } from './store.ts'

/** Loads all databases and accounts of the primary into this replica, and follows it from that position. */
export const synchronising = work({
  kind: syncKind,
  lane: 'files',
  input: SyncDraft,
  reply: Synchronised,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { overwrite = false }, sqlreplication: on, signal }) => {
    const row = await loadReplica(on)
    const peer = peerOf(on, row)
    const { databases } = await databasesOf(on.peers, peer, signal)
    if (!overwrite) await assertNoneReplaced(on, databases)
    const loading = step(on.steps.loadPrimary, peer)
    return change({
      summary: `Synchronise the databases of ${row.host}`,
      locks: [serverLock],
      steps: [loading, following(on, row)],
      reply: { databases: from(loading, 'databases'), accounts: from(loading, 'accounts') },
    })
  },
})

/** A replica that has followed its primary has nothing of its own. */
async function assertNoneReplaced({ tool }: SqlReplication, databases: readonly string[]): Promise<void> {
  if ((await tool.readReplica()) !== undefined) return
  const own = new Set((await tool.listDatabaseSizes()).map(({ name }) => name))
  const replaced = databases.filter((name) => own.has(name))
  if (replaced.length === 0) return
  const shown = replaced.slice(0, 10).join(', ')
  throw WouldReplace(
    `overwrite: the primary has databases that this host has too, which would be replaced: ${shown}`,
    {
      fields: { databases: replaced },
    },
  )
}

/** Follows a synchronisation, by default the last one, from its beginning to its end. */
export async function followSync(
  on: SqlReplication,
  jobId: number | undefined,
  after: number,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent<SyncEvent>>> {
  const job = await (jobId === undefined ? on.queries.lastSync() : on.queries.syncJob(jobId))
  if (job === undefined) throw NotFound('job_id: there is no such synchronisation')
  return eventsOf(on, job.id, after, signal)
}

async function* eventsOf(
  { queries, feed }: SqlReplication,
  id: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<SyncEvent>> {
  for await (const { seq, percent, message } of feed.follow(id, after, signal))
    yield { id: seq, value: { type: 'progress', percent, message: message.slice(0, 4000) } }
  const ended = await queries.syncJob(id)
  if (ended === undefined || !overStates.has(ended.state)) return
  const isDone = ended.state === 'succeeded'
  const message = isDone ? 'The databases are synchronised' : (ended.error ?? ended.message ?? ended.state)
  yield {
    value: { type: isDone ? 'done' : 'error', percent: ended.percent, message: message.slice(0, 4000) },
  }
}
