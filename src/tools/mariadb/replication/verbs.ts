import type { Readable } from 'node:stream'
import type { SqlConnection } from '../../../host/apply/steps.ts'
import type { SqlSession } from '../../../host/connect/index.ts'
import type { Host } from '../../../host/index.ts'
import { ownCertificate } from './certificate.ts'
import { dumpServer } from './dump-server.ts'
import {
  hasHeartbeatTable,
  type Heartbeat,
  makeHeartbeatTable,
  readHeartbeat,
  writeHeartbeat,
} from './heartbeat.ts'
import { loadServer, prepareForLoad } from './load-server.ts'
import { copyAccounts, type CopiedAccount, listAccounts } from './server-accounts.ts'
import { listFollowers, readFailedChange, readPosition, readReplica, type ReplicaStatus } from './status.ts'

interface Parts {
  readonly host: Pick<Host, 'files' | 'run'>
  readonly connection: SqlConnection
  readonly session: SqlSession
  readonly socketPath: string
}

/** The verbs of replication. */
export const replicationVerbs = ({ host, connection, session, socketPath }: Parts) => ({
  /** Reads the state of replication; undefined if the server follows no other. */
  readReplica: () => readReplica(connection),
  /** Reads how far the server is. */
  readPosition: () => readPosition(connection),
  /** Lists the servers that receive changes from this one now. */
  listFollowers: () => listFollowers(connection),
  /** Makes the table of heartbeats of a primary where there is none. */
  makeHeartbeatTable: () => makeHeartbeatTable(connection),
  /** Returns whether this server has the table of heartbeats. */
  hasHeartbeatTable: () => hasHeartbeatTable(connection),
  /** Writes the time of a primary, by which its replicas know how far they are behind. */
  writeHeartbeat: (heartbeat: Heartbeat) => writeHeartbeat(connection, heartbeat),
  /** Reads the last heartbeat of a primary that was applied here, as milliseconds since 1970. */
  readHeartbeat: (primaryId: number) => readHeartbeat(connection, primaryId),
  /** Reads the change that a replica could not apply. */
  readFailedChange: (status: ReplicaStatus) => readFailedChange(connection, status),
  /** Reads the certificate with which the server encrypts connections; undefined if it has none. */
  readCertificate: (path: string = ownCertificate.cert) => host.files.read(path),
  /** Lists the accounts with their hashes and rights, without those of the server itself. */
  listAccounts: () => listAccounts(connection),
  /** For steps: gives the server the accounts of another. */
  copyAccounts: (accounts: readonly CopiedAccount[]) => copyAccounts(session, accounts),
  /** Dumps databases as gzipped SQL with the position that belongs to them; destroying the stream ends the dump. */
  dumpServer: (wanted: Parameters<typeof dumpServer>[1], signal: AbortSignal) =>
    dumpServer({ run: host.run, socketPath }, wanted, signal),
  /** For steps: forgets the primary, and begins the binary log anew. */
  prepareForLoad: () => prepareForLoad(connection),
  /** For steps: loads a gzipped dump of another server. */
  loadServer: (dump: Readable, options: Parameters<typeof loadServer>[2]) =>
    loadServer({ run: host.run, socketPath, connection }, dump, options),
})
