import { dirname } from 'node:path'
import type { Found } from '../../core/tool.ts'
import type { SqlConnection } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { findAccounts, hasRights, readPasswordHash, setAccount } from './accounts.ts'
import type { Account } from './authentication.ts'
import { boundSlowLog } from './bound-slow-log.ts'
import { copyDatabase } from './copy-database.ts'
import { createDatabase, dropDatabase, findCollations, findDatabases } from './databases.ts'
import { openPasswordHashing } from './dialect.ts'
import { exportDatabase } from './export-step.ts'
import { dumpDatabase } from './dump.ts'
import { dropImportAccounts } from './import/account.ts'
import { importDatabase } from './import/step.ts'
import { openImporting } from './import/open.ts'
import { openPour } from './pour.ts'
import { readEndpoint } from './server-endpoint.ts'
import { killBusy, killProcess } from './kill.ts'
import { listProcesses } from './processes.ts'
import { makeCertificate } from './replication/certificate.ts'
import {
  followPrimary,
  forgetPrimary,
  restartReplica,
  skipChange,
  switchReplica,
} from './replication/follow.ts'
import { prepareHeartbeat } from './replication/heartbeat.ts'
import { setReplicaAccount } from './replication/replica-account.ts'
import { replicationVerbs } from './replication/verbs.ts'
import { setRootPassword } from './root-password.ts'
import { readConfigured } from './configured.ts'
import { openScratchDatabases } from './scratch-databases.ts'
import { optionsPath, setOptions } from './set-options.ts'
import { readSlowLog } from './read-slow-log.ts'
import { listDatabaseSizes, openCounterPairs, readCounters } from './statistics.ts'
import { listMovable, swapTables } from './swap-tables.ts'
import { switchProgram } from './switch-program.ts'
import { readRunning } from './variables.ts'

export interface MariadbOptions {
  /** The connection as root; a stand-in in tests. */
  readonly connection?: SqlConnection
  /** The socket of the server. Default: that of Debian's package. */
  readonly socketPath?: string
}

export { CopyFailed } from './copy-database.ts'
export { DatabaseExists } from './databases.ts'
export { hashOf } from './password-hash.ts'
export { isSameValue } from './configured.ts'
export { ownCertificate } from './replication/certificate.ts'
export { heartbeatDatabase } from './replication/heartbeat.ts'
export { LoadFailed } from './replication/load-server.ts'
export { replicaPrefix } from './replication/server-accounts.ts'
export type { ReplicaStatus } from './replication/status.ts'
export type { TableCount } from './tables.ts'
export { KillFailed } from './problems.ts'
export { isDynamic, type Options, optionsPath } from './set-options.ts'
export { type CounterPair, type DatabaseSize, perSecond } from './statistics.ts'

/** MariaDB as managed by the panel. The server knows root by the socket, so that the panel needs no password. */
export const mariadb = tool({
  name: 'mariadb',
  title: 'MariaDB',
  packages: ['mariadb-server'],
  service: 'mariadb',
  dataDirectories: ['/var/lib/mysql'],
  open: ({ host }: Opening, { connection, socketPath = '/run/mysqld/mysqld.sock' }: MariadbOptions = {}) => {
    const importing = openImporting(host, { connection, socketPath })
    return {
      connection: connection ?? host.connect.sql({ name: 'MariaDB', at: { socketPath }, user: 'root' }),
      session: host.connect.session({ name: 'MariaDB', at: { socketPath }, user: 'root' }),
      socketPath,
      importing,
      scratch: openScratchDatabases(importing),
    }
  },
  detect,
  reconcile: async ({ importing, scratch, ...opening }) => {
    await opening.host.files.cleanLeftovers(dirname(optionsPath))
    if (!(await detect(opening)).present || !(await opening.host.services.status(opening.service)).active)
      return
    await dropImportAccounts(importing)
    await scratch.removeLeft()
  },
  steps: ({ connection, socketPath, host, service, importing }) => ({
    switchProgram: switchProgram(host.services),
    setRootPassword: setRootPassword(connection, host.files),
    createDatabase: createDatabase(connection),
    dropDatabase: dropDatabase(connection),
    copyDatabase: copyDatabase({ connection, socketPath, pour: openPour(host.run), files: host.files }),
    setAccount: setAccount(connection),
    swapTables: swapTables(connection),
    killProcess: killProcess(connection),
    killBusy: killBusy(connection),
    setOptions: setOptions({ host, connection, service }),
    makeCertificate: makeCertificate(host),
    followPrimary: followPrimary({ connection, files: host.files }),
    forgetPrimary: forgetPrimary({ connection, files: host.files }),
    switchReplica: switchReplica(connection),
    restartReplica: restartReplica(connection),
    skipChange: skipChange(connection),
    setReplicaAccount: setReplicaAccount(connection),
    prepareHeartbeat: prepareHeartbeat(connection),
    exportDatabase: exportDatabase({ run: host.run, socketPath, ownerOf: importing.ownerOf }),
    importDatabase: importDatabase(importing),
  }),
  verbs: ({ host, service, connection, session, socketPath, scratch }) => ({
    ...scratch.verbs,
    ...replicationVerbs({ host, connection, session, socketPath }),
    /** Dumps a database as gzipped SQL; destroying the stream ends the dump. */
    dump: (database: string, signal: AbortSignal) =>
      dumpDatabase({ run: host.run, socketPath }, database, { signal, onProgress: () => {} }),
    /** Returns the hash that the server keeps of a password: MySQL knows none of MariaDB. */
    hashPassword: openPasswordHashing(connection),
    /** Returns the hash of the password of an account; undefined if it has none. */
    readPasswordHash: (account: Account) => readPasswordHash(connection, account),
    /** Lists what the server does, with what waits for what. */
    listProcesses: () => listProcesses(connection),
    /** Reads the status variables twice, for rates. */
    readCounterPair: openCounterPairs(connection),
    /** Reads the options with which the server starts, by their names with underscores. */
    readOptions: async () => (await readConfigured(host.run)).values,
    /** Reads variables of the running server. */
    readRunning: (names: readonly string[]) => readRunning(connection, names),
    /** Reads the end of a slow query log, grouped by the shape of the statements. */
    readSlowLog: (path: string) => readSlowLog(host, path),
    /** Has a slow query log of more than 64 MiB begin anew, and returns whether it did. */
    boundSlowLog: (path: string) => boundSlowLog({ host, connection }, path),
    readCounters: () => readCounters(connection),
    /** Lists the tables of a database, and what cannot change places with those of another one. */
    listMovable: (database: string) => listMovable(connection, database),
    listDatabaseSizes: () => listDatabaseSizes(connection),
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
    findDatabases: (names: readonly string[]) => findDatabases(connection, names),
    findCollations: () => findCollations(connection),
    findAccounts: (username: string) => findAccounts(connection, username),
    /** Returns whether an account may do more than connect. */
    hasRights: (account: Account) => hasRights(connection, account),
    readEndpoint: () => readEndpoint(connection),
  }),
})

/** Asks the package manager: the server program alone stays behind when the package is removed. */
async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('mariadb-server')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'MariaDB is not installed' }
  return { present: true, version: upstreamVersion(version), healthy: true, reason: null }
}

/** `1:10.11.14-0+deb12u2` is 10.11.14. */
const upstreamVersion = (version: string): string => version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
