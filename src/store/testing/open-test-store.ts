import { createHash, randomBytes } from 'node:crypto'
import { openStore, type Store, type StoreOptions } from '../store.ts'

/** The address of a PostgreSQL server whose databases tests create; absent for tests on SQLite. */
const server = process.env['HOSTREEVE_TEST_POSTGRES']

export const isOnPostgres = server !== undefined

/** Above this number of migrations a template is made of them: it is copied in less time than they take. */
const mostWithoutTemplate = 20

/** Opens a store for a test: in SQLite, or in a database of its own where the tests run on PostgreSQL. */
export async function openTestStore(options: StoreOptions): Promise<Store> {
  if (server === undefined) return openStore(options)
  const name = await testDatabase(options)
  const store = await openStore({ ...options, databaseUrl: urlOf(server, name) })
  if (options.dataDir !== undefined) return store
  const close = () => store.close().then(() => drop(name))
  return { ...store, close }
}

/** The settings that put the store of a panel under test into a database of its own; none for SQLite. */
export async function testDatabaseFor(
  options: Pick<StoreOptions, 'migrations'> & { readonly dataDir: string | undefined },
): Promise<{ readonly databaseUrl?: string }> {
  if (server === undefined) return {}
  const { dataDir, migrations } = options
  const name = await testDatabase({ migrations, now: new Date(0), ...(dataDir !== undefined && { dataDir }) })
  return { databaseUrl: urlOf(server, name) }
}

const urlOf = (of: string, name: string): string => `${of}/${name}`
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** The store of a data directory is found again: its database is named for it. */
async function testDatabase({ dataDir, migrations }: StoreOptions): Promise<string> {
  const name =
    dataDir === undefined ? `memory_${randomBytes(8).toString('hex')}` : `folder_${digest(dataDir)}`
  const base = migrations.length > mostWithoutTemplate ? await template(migrations) : 'template0'
  await create(name, base)
  return name
}

async function template(migrations: StoreOptions['migrations']): Promise<string> {
  const name = `base_${digest(JSON.stringify(migrations))}`
  if (await create(name, 'template0')) {
    const store = await openStore({
      migrations,
      now: new Date(0),
      databaseUrl: urlOf(server as string, name),
    })
    await store.db.deleteFrom('key_check').execute() // each copy has a key of its own
    await store.close()
  }
  return name
}

/** Creates a database; false if there is one of that name. */
async function create(name: string, from: string): Promise<boolean> {
  return asking(async (client) => {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length > 0) return false
    await client.query(`create database ${name} template ${from} strategy file_copy`)
    return true
  })
}

const drop = (name: string): Promise<void> =>
  asking(async (client) => void (await client.query(`drop database if exists ${name} with (force)`)))

async function asking<Value>(
  work: (client: Awaited<ReturnType<typeof import('../postgresql/session.ts').connect>>) => Promise<Value>,
): Promise<Value> {
  const { connect } = await import('../postgresql/session.ts')
  const client = await connect(urlOf(server as string, 'postgres'))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
