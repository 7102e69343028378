import { failures, local } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { accepted, data, events, flat, succeeded } from '../../../core/reply.ts'
import { LoadFailed } from '../../../tools/mariadb/index.ts'
import { endpoint } from '../context.ts'
import { ofPeer, ofServer } from '../failures.ts'
import {
  ConnectDraft,
  Connected,
  CopiedAccounts,
  Removed,
  SqlReplicationState,
  SyncDraft,
  SyncEvent,
  SyncQuery,
} from '../model.ts'
import { NotReplica, NotSynchronised, RoleTaken, WouldReplace } from '../problems.ts'
import * as replica from '../replica.ts'
import { readState } from '../state.ts'
import { followSync, synchronising } from '../sync.ts'

const category = local('each host has an SQL server of its own')

export const readReplication = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read the role of the SQL server in replication, how far it is, and what a replica stopped at',
  effect: 'reads',
  reply: data(SqlReplicationState),
  throws: ofServer,
  run: ({ sqlreplication }) => readState(sqlreplication),
})

export const connectReplica = endpoint({
  method: 'POST',
  path: '/connect',
  summary: 'Connect the SQL server of this host to a primary, as its replica',
  description:
    'The panel of the primary makes an account for it. A certificate of that panel that is valid for its name is accepted, otherwise its public key is pinned. The replica refuses changes of clients without a special right. It gets the databases by `sync`.',
  effect: 'changes',
  category,
  body: ConnectDraft,
  reply: data(Connected),
  throws: failures(ofPeer, { conflict: RoleTaken }),
  timeoutMs: 300_000,
  run: ({ sqlreplication, body, ...request }) => replica.connectTo(sqlreplication, body, request),
})

export const synchroniseReplica = endpoint({
  method: 'POST',
  path: '/sync',
  summary: 'Load all databases and accounts of the primary into this replica, and follow it from there',
  description:
    'Databases of this host that the primary has too are replaced: with `overwrite`, or if this replica has followed before. A synchronisation that fails leaves a replica that follows nobody: start it again.',
  effect: 'changes',
  category,
  body: SyncDraft,
  reply: accepted(synchronising),
  throws: failures(ofPeer, { conflict: [NotReplica, WouldReplace], sync_failed: LoadFailed }),
  run: ({ body }) => body,
})

export const followReplicaSync = endpoint({
  method: 'GET',
  path: '/sync-stream',
  summary: 'Follow a synchronisation, by default the last one, as an event stream',
  description: 'Leaving the stream does not end it. Last-Event-ID goes on after an event.',
  effect: 'reads',
  query: SyncQuery,
  reply: events(SyncEvent),
  throws: { not_found: NotFound },
  run: ({ sqlreplication, query, lastEventId, signal }) =>
    followSync(sqlreplication, query.job_id, lastEventId ?? 0, signal),
})

export const startReplication = endpoint({
  method: 'POST',
  path: '/start',
  summary: 'Start the replication of this replica from where it is',
  effect: 'changes',
  category,
  reply: succeeded,
  throws: failures(ofServer, { conflict: [NotReplica, NotSynchronised] }),
  run: ({ sqlreplication }) => replica.switchReplication(sqlreplication, 'start'),
})

export const stopReplication = endpoint({
  method: 'POST',
  path: '/stop',
  summary: 'Stop the replication of this replica; it catches up when it is started',
  effect: 'changes',
  category,
  reply: succeeded,
  throws: failures(ofServer, { conflict: [NotReplica, NotSynchronised] }),
  run: ({ sqlreplication }) => replica.switchReplication(sqlreplication, 'stop'),
})

export const removeReplication = endpoint({
  method: 'DELETE',
  path: '',
  summary: 'End the role of the SQL server in replication; the data stay',
  description:
    'A replica stops, forgets its primary and accepts changes again. Of a primary, the accounts of the replicas and the sync key are removed.',
  effect: 'destroys',
  category,
  reply: flat(Removed),
  throws: ofServer,
  timeoutMs: 300_000,
  run: ({ sqlreplication }) => replica.removeReplication(sqlreplication),
})

export const copyPrimaryAccounts = endpoint({
  method: 'POST',
  base: '/sqldb',
  path: '/sync-users-ha',
  summary: 'Copy the accounts of the primary to this replica, with their passwords and rights',
  description: 'Further accounts of this replica stay.',
  effect: 'changes',
  category,
  reply: data(CopiedAccounts),
  throws: failures(ofPeer, { conflict: NotReplica }),
  timeoutMs: 300_000,
  run: ({ sqlreplication }) => replica.copyAccounts(sqlreplication),
})
