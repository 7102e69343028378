import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connectProblems } from '../../../host/connect/index.ts'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { CommandRefused } from '../problems.ts'
import type { BsonDocument, BsonValue } from '../wire/bson.ts'
import type { DocumentConnection } from '../wire/client.ts'

interface StandInAccount {
  readonly user: string
  readonly db: string
  roles: readonly { readonly role: string; readonly db: string }[]
  pwd: string
}

/** A stand-in for the server: databases with their documents as one text each, and accounts. */
export interface StandInMongodb {
  readonly databases: Map<string, string>
  accounts: StandInAccount[]
  /** True while nothing listens on its port. */
  isDown: boolean
  /** What it answers to every command, as a refusal. */
  refusal: string | undefined
  /** How many documents the next mongorestore is refused. */
  refused: number
  readonly connection: DocumentConnection
}

const roles = new Set(['root', 'read', 'readWrite', 'dbAdmin', 'dbOwner'])

/** Opens a server without databases and accounts. */
export function standInMongodb(): StandInMongodb {
  const server: StandInMongodb = {
    databases: new Map(),
    accounts: [],
    isDown: false,
    refusal: undefined,
    refused: 0,
    connection: {
      run: async (database, command) => {
        if (server.isDown)
          throw connectProblems.NotAnswering('MongoDB cannot be reached: connect ECONNREFUSED')
        if (server.refusal !== undefined) throw CommandRefused(`MongoDB: ${server.refusal}`)
        const name = Object.keys(command)[0] ?? ''
        const answer = answers[name]
        if (answer === undefined) throw new Error(`not scripted: ${name}`)
        return { ok: 1, ...answer(server, database, command) }
      },
    },
  }
  return server
}

type Answer = (server: StandInMongodb, database: string, command: BsonDocument) => BsonDocument

const shown = ({ user, db, roles: given }: StandInAccount): BsonDocument => ({ user, db, roles: given })
const isNamed = (user: BsonValue | undefined, db: string) => (account: StandInAccount) =>
  account.user === user && account.db === db

const answers: Readonly<Record<string, Answer>> = {
  ping: () => ({}),
  serverStatus: () => ({ uptime: 60, connections: { current: 3 }, mem: { resident: 52 } }),
  dbStats: ({ databases }, database) => ({ collections: 1, objects: databases.get(database)?.length ?? 0 }),
  listDatabases: ({ databases }) => ({
    databases: [...databases].map(([name, { length }]) => ({ name, sizeOnDisk: length })),
    totalSize: [...databases.values()].reduce((sum, { length }) => sum + length, 0),
  }),
  find: ({ accounts }) => ({ cursor: { id: 0, firstBatch: accounts.map(shown) } }),
  usersInfo: ({ accounts }, database, { usersInfo }) => {
    const user =
      typeof usersInfo === 'object' && usersInfo !== null ? Reflect.get(usersInfo, 'user') : usersInfo
    return { users: accounts.filter(isNamed(user, database)).map(shown) }
  },
  createUser: (server, db, { createUser, pwd, roles: given }) => {
    const wanted = given as unknown as StandInAccount['roles']
    const unknown = wanted.find(({ role }) => !roles.has(role))
    if (unknown !== undefined) throw CommandRefused(`MongoDB: No role named ${unknown.role}@${unknown.db}`)
    server.accounts.push({ user: String(createUser), db, roles: wanted, pwd: String(pwd) })
    return {}
  },
  updateUser: ({ accounts }, db, { updateUser, pwd }) => {
    const found = accounts.find(isNamed(updateUser, db))
    if (found !== undefined) found.pwd = String(pwd)
    return {}
  },
  dropUser: (server, db, { dropUser }) => {
    server.accounts = server.accounts.filter((account) => !isNamed(dropUser, db)(account))
    return {}
  },
  dropDatabase: ({ databases }, database) => {
    databases.delete(database)
    return {}
  },
}

/** The tools of MongoDB, which write each database of the stand-in as one file below the real path that they are given. */
export const mongoTools =
  (server: StandInMongodb): Script =>
  (argv) => {
    const optionsOf = (name: string) =>
      argv.filter((each) => each.startsWith(`--${name}=`)).map((each) => each.slice(name.length + 3))
    if (argv[0] === 'mongodump') {
      for (const [name, content] of server.databases) writeDump(`${optionsOf('out')[0]}/${name}`, content)
      return { stderr: '2026-11-28T13:25:01.509+0000\tdone dumping\n' }
    }
    if (argv[0] !== 'mongorestore') return undefined
    for (const name of optionsOf('nsInclude').map((each) => each.replace(/\.\*$/, '')))
      server.databases.set(name, readFileSync(`${optionsOf('dir')[0]}/${name}/all.bson.gz`, 'utf8'))
    const { refused } = server
    server.refused = 0
    const counts = `2 document(s) restored successfully. ${refused} document(s) failed to restore.`
    return { stderr: `2026-11-28T13:25:02.541+0000\t${counts}\n` }
  }

function writeDump(folder: string, content: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/all.bson.gz`, content)
}
