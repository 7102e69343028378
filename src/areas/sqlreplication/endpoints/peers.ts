import { failures, local } from '../../../core/endpoint.ts'
import { key } from '../../../core/guard.ts'
import { bytes, data, succeeded } from '../../../core/reply.ts'
import { syncKeyHeader } from '../../sync-key.ts'
import { type Context, endpoint } from '../context.ts'
import * as dumps from '../dumps.ts'
import { ofServer } from '../failures.ts'
import {
  AcceptDraft,
  Accepted,
  DatabaseNames,
  DatabaseSizes,
  DumpDraft,
  DumpOneDraft,
  PositionState,
  PrimaryReady,
  ServerAccounts,
} from '../model.ts'
import * as primary from '../primary.ts'
import {
  DatabaseUnknown,
  NotPrimary,
  NotReplica,
  NotSynchronised,
  ReplicaInvalid,
  RoleTaken,
} from '../problems.ts'
import * as replica from '../replica.ts'

const guard = key<Context>(
  syncKeyHeader,
  ({ sqlreplication }, { key: sent }) => primary.verdictOnSyncKey(sqlreplication, sent),
  { orSuperuser: true },
)
const category = local('the other panel asks for the server of this host')
const reading = endpoint.with({ guard, throws: ofServer })
const changing = endpoint.with({ guard, category, throws: ofServer, timeoutMs: 300_000 })

export const setUpPrimary = changing({
  method: 'POST',
  path: '/setup-master',
  summary: 'Make this SQL server ready for a replica, as its panel asks',
  effect: 'changes',
  reply: data(PrimaryReady),
  throws: failures({ conflict: RoleTaken }),
  run: ({ sqlreplication, now }) => primary.setUpPrimary(sqlreplication, now),
})

export const acceptReplica = changing({
  method: 'POST',
  path: '/accept',
  summary: 'Give a replica an account on this SQL server, as its panel asks',
  effect: 'changes',
  changesAccess: true,
  body: AcceptDraft,
  reply: data(Accepted),
  throws: failures({ bad_request: ReplicaInvalid, conflict: NotPrimary }),
  run: ({ sqlreplication, body, ...request }) => primary.acceptReplica(sqlreplication, body, request),
})

export const startReplicaForPeer = changing({
  method: 'POST',
  path: '/start-slave',
  summary: 'Start the replication of this replica, as another panel asks',
  effect: 'changes',
  reply: succeeded,
  throws: failures({ conflict: [NotReplica, NotSynchronised] }),
  run: ({ sqlreplication }) => replica.switchReplication(sqlreplication, 'start'),
})

export const readPrimaryPosition = reading({
  method: 'POST',
  path: '/position',
  summary: 'Read how far this SQL server is',
  effect: 'probes',
  reply: data(PositionState),
  throws: failures({ conflict: NotPrimary }),
  run: ({ sqlreplication }) => dumps.readPosition(sqlreplication),
})

export const listPrimaryDatabases = reading({
  method: 'POST',
  path: '/databases',
  summary: 'List the databases of this SQL server for a replica',
  effect: 'probes',
  reply: data(DatabaseNames),
  run: ({ sqlreplication }) => dumps.listDatabases(sqlreplication),
})

export const listPrimarySizes = reading({
  method: 'POST',
  path: '/db-sizes',
  summary: 'List the databases of this SQL server with their sizes for a replica',
  effect: 'probes',
  reply: data(DatabaseSizes),
  run: ({ sqlreplication }) => dumps.listSizes(sqlreplication),
})

export const dumpPrimary = reading({
  method: 'POST',
  path: '/dump',
  summary: 'Dump databases of this SQL server with the position that belongs to them, as gzipped SQL',
  effect: 'probes',
  description:
    'One consistent state of the InnoDB tables. The first statement sets the position from which a replica goes on.',
  body: DumpDraft,
  reply: bytes('application/gzip'),
  throws: failures({ bad_request: DatabaseUnknown, conflict: NotPrimary }),
  run: ({ sqlreplication, body, signal }) =>
    dumps.openDump(sqlreplication, body.databases, { field: 'databases', signal }),
})

export const dumpPrimaryDatabase = reading({
  method: 'POST',
  path: '/dump-db',
  summary: 'Dump one database of this SQL server with the position that belongs to it, as gzipped SQL',
  effect: 'probes',
  body: DumpOneDraft,
  reply: bytes('application/gzip'),
  throws: failures({ bad_request: DatabaseUnknown, conflict: NotPrimary }),
  run: ({ sqlreplication, body, signal }) =>
    dumps.openDump(sqlreplication, [body.database], { field: 'database', signal }),
})

export const dumpPrimaryAccounts = reading({
  method: 'POST',
  path: '/dump-users',
  summary: 'List the accounts of this SQL server with their hashes and rights for a replica',
  effect: 'probes',
  description: 'Without those of the server itself and of replicas, and without roles.',
  reply: data(ServerAccounts),
  run: ({ sqlreplication }) => dumps.listAccounts(sqlreplication),
})
