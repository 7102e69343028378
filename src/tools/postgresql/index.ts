import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Found } from '../../core/tool.ts'
import type { Files } from '../../host/files.ts'
import { type Opening, tool } from '../tool.ts'
import { prepareServer } from './access.ts'
import { adoptDatabase } from './adopt.ts'
import { createDatabase, dropDatabase, findCollations, findDatabases, listDatabases } from './databases.ts'
import { exportDatabase } from './dump.ts'
import { dropClients } from './import/clients.ts'
import { importDatabase } from './import/step.ts'
import { findAccounts, setAccount } from './roles.ts'
import { openServer, type PostgresPlace } from './server.ts'

export interface PostgresqlOptions {
  /** Where the server is; that of a scratch server in tests. */
  readonly place?: PostgresPlace
  /** The files of that server. */
  readonly files?: Files
}

export { DatabaseExists, standardEncoding } from './databases.ts'
export { longestDatabase, longestRole } from './names.ts'
export { verifierOf } from './password-hash.ts'

/** PostgreSQL as managed by the panel: the server of Debian's package, on its socket. */
export const postgresql = tool({
  name: 'postgresql',
  title: 'PostgreSQL',
  packages: ['postgresql'],
  service: 'postgresql',
  dataDirectories: ['/var/lib/postgresql'],
  open: ({ host }: Opening, { place, files = host.files }: PostgresqlOptions = {}) => {
    const at: PostgresPlace = place ?? {
      run: host.run,
      account: () => host.accounts.find('postgres'),
      programs: async () => `/usr/lib/postgresql/${(await majorOf({ host })) ?? 0}/bin`,
      socketFolder: '/run/postgresql',
      port: 5432,
    }
    const server = openServer(at)
    const prepare = () => prepareServer({ server, files })
    return {
      server,
      prepare,
      homes: {
        ...{ server, prepare, programs: at.programs, socketFolder: at.socketFolder, port: at.port },
        active: new Set<string>(),
        alone: new KeyedMutex<string>(),
        ownerOf: async (username: string) => {
          const account = await host.accounts.find(username)
          if (account === undefined)
            throw Unavailable(`The Linux account ${username} no longer exists on this host`)
          return host.owners.of({ ...account, name: username })
        },
      },
    }
  },
  detect,
  setUp: ({ prepare }) => prepare(),
  reconcile: async ({ homes, ...opening }) => {
    if ((await detect(opening)).present && (await opening.host.services.status(opening.service)).active)
      await dropClients(homes)
  },
  steps: ({ server, prepare, homes }) => ({
    createDatabase: createDatabase({ server, prepare }),
    dropDatabase: dropDatabase(server),
    adoptDatabase: adoptDatabase({ server, prepare }),
    setAccount: setAccount(server),
    exportDatabase: exportDatabase(homes),
    importDatabase: importDatabase(homes),
  }),
  verbs: ({ server }) => ({
    findDatabases: (names: readonly string[]) => findDatabases(server, names),
    findCollations: () => findCollations(server),
    findAccounts: (username: string) => findAccounts(server, username),
    /** Lists the databases of the server that are none of its own. */
    listDatabases: () => listDatabases(server),
  }),
})

/** Debian's package names the version of its server: `15+248`. */
async function majorOf({ host }: Pick<Opening, 'host'>): Promise<string | undefined> {
  return /^\d+/.exec((await host.packages.version('postgresql')) ?? '')?.[0]
}

async function detect({ host }: Pick<Opening, 'host'>): Promise<Found> {
  const version = await majorOf({ host })
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'PostgreSQL is not installed' }
  return { present: true, version, healthy: true, reason: null }
}
