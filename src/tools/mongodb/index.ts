import { Unavailable } from '../../core/problem.ts'
import type { Found } from '../../core/tool.ts'
import { type Opening, tool } from '../tool.ts'
import { createAccount, dropAccount, listAccounts } from './accounts.ts'
import { awaitAnswer } from './await-answer.ts'
import { dumpAll, listBackupNames, listBackups, removeBackup } from './backups.ts'
import { asksForSignIn, configurationPath, portIn } from './configuration.ts'
import { dropDatabase, findDatabases, listDatabases } from './databases.ts'
import { exportDatabase } from './dump-database.ts'
import { dropImportAccounts, importDatabase } from './import-database.ts'
import { readCredentials } from './credentials.ts'
import { restoreAll } from './restore.ts'
import { setUp } from './set-up.ts'
import { setAccount } from './set-account.ts'
import { readStatistics } from './statistics.ts'
import { serviceName, switchProgram } from './switch-program.ts'
import { connectDocuments, type DocumentConnection } from './wire/client.ts'
import { removeDeadRelays } from './wire/relay-socket.ts'

export interface MongodbOptions {
  /** The connections to the server; a stand-in in tests. */
  readonly connection?: DocumentConnection
}

export { backupNameOf, isBackupName } from './backups.ts'
export { panelAccount } from './credentials.ts'
export { isImportAccount } from './import-database.ts'
export { AccountExists, CommandRefused, DumpFailed, NotServing, RestoreFailed } from './problems.ts'

/** MongoDB, as its own packages install it; Debian has none, so that its repository must be among the sources of apt. */
export const mongodb = tool({
  name: 'mongodb',
  title: 'MongoDB',
  packages: ['mongodb-org-server', 'mongodb-database-tools'],
  service: serviceName,
  dataDirectories: ['/var/lib/mongodb', '/var/log/mongodb'],
  open: ({ host }: Opening, { connection }: MongodbOptions = {}) => {
    const { files } = host
    const port = async () => portIn((await files.read(configurationPath)) ?? '')
    const connectAs = (credentials: () => ReturnType<typeof readCredentials>) =>
      connection ?? connectDocuments({ port, credentials })
    const ownerOf = async (username: string) => {
      const account = await host.accounts.find(username)
      if (account === undefined)
        throw Unavailable(`The Linux account ${username} no longer exists on this host`)
      return host.owners.of({ ...account, name: username })
    }
    return {
      port,
      ownerOf,
      connection: connectAs(() => readCredentials(files)),
      anonymous: connectAs(async () => undefined),
    }
  },
  detect,
  setUp,
  reconcile: async ({ connection, ...opening }) => {
    await removeDeadRelays()
    const { present, healthy } = await detect(opening)
    if (present && healthy && (await opening.host.services.status(opening.service)).active)
      await dropImportAccounts(connection)
  },
  steps: ({ host, connection, anonymous, port, ownerOf }) => ({
    awaitAnswer: awaitAnswer(anonymous, async () => (await host.services.status(serviceName)).active),
    switchProgram: switchProgram(host.services),
    createAccount: createAccount(connection),
    dropAccount: dropAccount(connection),
    dumpAll: dumpAll({ ...host, port }),
    removeBackup: removeBackup(host.files),
    restoreAll: restoreAll({ ...host, port, connection }),
    dropDatabase: dropDatabase(connection),
    setAccount: setAccount(connection),
    exportDatabase: exportDatabase({ host, port, ownerOf }),
    importDatabase: importDatabase({ connection, port, ownerOf }),
  }),
  verbs: ({ host, service, connection }) => ({
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
    readStatistics: () => readStatistics(connection),
    listAccounts: () => listAccounts(connection),
    listDatabases: () => listDatabases(connection),
    findDatabases: (names: readonly string[]) => findDatabases(connection, names),
    /** Lists the backups with their sizes, the newest first. */
    listBackups: (most: number) => listBackups(host.files, most),
    /** Lists the names of all backups, the newest first. */
    listBackupNames: () => listBackupNames(host.files),
  }),
})

const source = 'its packages are in the repository of MongoDB, which must be among the sources of apt'

async function detect({ host: { packages, files } }: Opening): Promise<Found> {
  const version = await packages.version('mongodb-org-server')
  if (version === undefined)
    return {
      present: false,
      version: null,
      healthy: false,
      reason: `MongoDB is not installed: ${source}`,
    }
  const reason = await faultOf(files, await packages.version('mongodb-database-tools'))
  return {
    present: true,
    version: version.replace(/^\d+:/, '').replace(/-[^-]*$/, ''),
    healthy: reason === null,
    reason,
  }
}

async function faultOf(files: Opening['host']['files'], tools: string | undefined): Promise<string | null> {
  if (tools === undefined) return 'mongodb-database-tools is not installed, which makes backups'
  if (!asksForSignIn((await files.read(configurationPath)) ?? ''))
    return 'MongoDB is not set up: it asks nobody for a password'
  if ((await readCredentials(files)) === undefined) return 'The panel has no account on MongoDB'
  return null
}
