// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const sqlreplication = client<typeof endpoints>({
  restartReplication: 'POST /settings/sqldb/replication/restart',
  skipReplicationError: 'POST /settings/sqldb/replication/skip-error',
  setSkippedErrors: 'POST /settings/sqldb/slave-skip-errors',
  readReplication: 'GET /sqldb/replication',
  removeReplication: 'DELETE /sqldb/replication',
  acceptReplica: 'POST /sqldb/replication/accept',
  connectReplica: 'POST /sqldb/replication/connect',
  listPrimaryDatabases: 'POST /sqldb/replication/databases',
  listPrimarySizes: 'POST /sqldb/replication/db-sizes',
  dumpPrimary: 'POST /sqldb/replication/dump',
  dumpPrimaryDatabase: 'POST /sqldb/replication/dump-db',
  dumpPrimaryAccounts: 'POST /sqldb/replication/dump-users',
  makePrimary: 'POST /sqldb/replication/init',
  readPrimaryPosition: 'POST /sqldb/replication/position',
  setUpPrimary: 'POST /sqldb/replication/setup-master',
  listReplicas: 'GET /sqldb/replication/slaves',
  addReplica: 'POST /sqldb/replication/slaves',
  deleteReplica: 'DELETE /sqldb/replication/slaves/{id}',
  startReplication: 'POST /sqldb/replication/start',
  startReplicaForPeer: 'POST /sqldb/replication/start-slave',
  stopReplication: 'POST /sqldb/replication/stop',
  synchroniseReplica: 'POST /sqldb/replication/sync',
  followReplicaSync: 'GET /sqldb/replication/sync-stream',
  copyPrimaryAccounts: 'POST /sqldb/sync-users-ha',
})
