import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import type { ListQuery, Page } from '../../core/reply.ts'
import type { Databases } from './context.ts'
import type { Engine, FoundDatabase } from './engines/engine.ts'
import type { Database, DatabaseHost, EngineName } from './model.ts'
import { assertInstalled } from './names.ts'
import { type AccountRow, type DatabaseRow, databases } from './store.ts'

/** Lists the databases that the caller may see, of one website or all, with what the server has of them. */
export async function listDatabases(
  on: Databases,
  query: ListQuery,
  caller: Caller,
  of: { readonly website_id?: number; readonly engine?: EngineName } = {},
): Promise<Page<Database>> {
  const { items, total } = await on.queries.page(query, caller, of)
  const found = await findAll(on, items)
  const accounts = Map.groupBy(
    await on.queries.accountsOf(items.map((row) => row.id)),
    (row) => row.database_id,
  )
  const domains = await on.queries.domainsOf(items.flatMap(({ website_id: id }) => (id === null ? [] : [id])))
  return {
    items: items.map((row) =>
      showDatabase(row, {
        domain: (row.website_id === null ? undefined : domains.get(row.website_id)) ?? null,
        accounts: accounts.get(row.id) ?? [],
        found: foundOf(found.get(row.engine), row.name),
      }),
    ),
    total,
  }
}

interface EngineQuery extends ListQuery {
  readonly engine?: EngineName
}

/** Returns what narrows a list to the databases of one server. */
export const ofEngine = ({ engine }: EngineQuery): { readonly engine?: EngineName } =>
  engine === undefined ? {} : { engine }

type FoundByEngine = ReadonlyMap<EngineName, ReadonlyMap<string, FoundDatabase> | undefined>

async function findAll({ engines }: Databases, rows: readonly DatabaseRow[]): Promise<FoundByEngine> {
  const byEngine = Map.groupBy(rows, ({ engine }) => engine)
  return new Map(
    await Promise.all(
      [...byEngine].map(async ([name, of]) => [name, await findIn(engines[name], of)] as const),
    ),
  )
}

/** Undefined if the server does not answer: the list says so, and still shows what the panel knows. */
async function findIn(
  engine: Engine | undefined,
  rows: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, FoundDatabase> | undefined> {
  try {
    return engine && (await foundOn(engine, rows))
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function foundOn(
  engine: Engine,
  rows: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, FoundDatabase>> {
  const { empty } = engine
  const found = await engine.findDatabases(rows.map(({ name }) => name))
  return empty === undefined ? found : new Map(rows.map(({ name }) => [name, found.get(name) ?? empty]))
}

const foundOf = (found: ReadonlyMap<string, FoundDatabase> | undefined, name: string) =>
  found === undefined ? 'unknown' : found.get(name)

interface Known {
  readonly domain: string | null
  readonly accounts: readonly Pick<AccountRow, 'username' | 'host'>[]
  readonly found: FoundDatabase | 'unknown' | undefined
}

/** Returns the reply of a database. */
export function showDatabase(row: DatabaseRow, { domain, accounts, found }: Known): Database {
  const { user_id: _owner, updated_at: _updated, ...shown } = databases.show(row)
  const present = found === 'unknown' ? undefined : found
  return {
    ...shown,
    domain,
    state: found === 'unknown' ? 'unknown' : found === undefined ? 'missing' : 'present',
    charset: present?.charset ?? null,
    collation: present?.collation ?? null,
    size_bytes: present?.sizeBytes ?? null,
    row_estimate: present?.rows ?? null,
    table_count: present?.tables ?? null,
    users: accounts.map(({ username, host }) => ({ username, host })),
  }
}

const everyAddress = new Set([null, '*', '::', '0.0.0.0'])

/** Returns where programs of this host reach the server. */
export async function readHost(on: Databases): Promise<DatabaseHost> {
  await assertInstalled(on.mariadb)
  const { port, socketPath, bindAddress } = await on.mariadb.readEndpoint()
  const isLocal = bindAddress === '127.0.0.1' || bindAddress === '::1' || bindAddress === 'localhost'
  const listensHere = bindAddress === null || everyAddress.has(bindAddress) || isLocal
  return {
    host: listensHere ? 'localhost' : bindAddress,
    port,
    socket: socketPath,
    is_remote: port !== null && !isLocal,
  }
}
