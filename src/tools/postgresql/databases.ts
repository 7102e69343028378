import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import { identifier, sql, type SqlRow, type SqlStatement } from '../../host/apply/steps.ts'
import { clientRole, ownerRole } from './names.ts'
import { dropRole } from './roles.ts'
import type { PostgresServer } from './server.ts'

/** How text is stored and compared. */
export interface Encoding {
  readonly charset: string
  readonly collation: string
}

interface DatabaseArgs extends Encoding {
  readonly name: string
}

/** A database as the server has it. */
export interface FoundDatabase extends DatabaseArgs {
  readonly sizeBytes: number
}

export const DatabaseExists = problem('conflict', 409, 'The server has a database of this name')

interface DatabaseState {
  /** True if the role exists that owns it. */
  readonly hasOwner: boolean
  readonly charset?: string
  readonly collation?: string
  /** True if only its users may connect. */
  readonly isClosed?: true
}

/** What creates databases. */
export interface Creating {
  readonly server: PostgresServer
  /** Prepares the server for users of websites. */
  readonly prepare: () => Promise<void>
}

/** The step that creates an empty database, with the role that owns it. */
export function createDatabase({
  server,
  prepare,
}: Creating): StepKind<DatabaseArgs, Was<DatabaseState>, null> {
  return {
    ...stateStep<DatabaseArgs, DatabaseState>({
      name: 'postgresql.create-database',
      plan: ({ name }) => ({ title: `Create the database ${name} in PostgreSQL` }),
      changed: ({ name }, was, wanted) => ({
        objects: [{ name: `database ${name}`, before: shown(was), after: shown(wanted) }],
      }),
      read: ({ name }) => readDatabase(server, name),
      wanted: ({ charset, collation }) => ({ hasOwner: true, charset, collation, isClosed: true }),
      refuse: ({ name }, now) => {
        if (now?.charset !== undefined) throw DatabaseExists(`name: ${name} exists on the server`)
      },
      write: async ({ name }, state, { now }) => {
        if (state?.charset === undefined) return removeDatabase(server, name, state?.hasOwner ?? false)
        await prepare()
        for (const statement of creating(name, state, now)) await server.run(statement)
      },
    }),
    notUndone: 'the database may have tables by now: delete it instead',
  }
}

const shown = (state: DatabaseState | undefined): string | null =>
  state?.charset === undefined ? null : `${state.charset}, ${state.collation}`

async function readDatabase(server: PostgresServer, name: string): Promise<DatabaseState | undefined> {
  const [row] = await server.run(
    sql`select (select count(*) from pg_roles where rolname = ${ownerRole(name)}) owners`,
  )
  const [found] = await server.run(sql`select pg_encoding_to_char(encoding) charset, datcollate collation,
    has_database_privilege('public', oid, 'connect')::int is_open from pg_database where datname = ${name}`)
  const hasOwner = row?.['owners'] === 1
  if (found === undefined) return hasOwner ? { hasOwner } : undefined
  return { hasOwner, ...encodingIn(found), ...(found['is_open'] === 0 && { isClosed: true }) }
}

const creating = (
  name: string,
  { charset = '', collation = '' }: DatabaseState,
  now: DatabaseState | undefined,
): readonly SqlStatement[] => {
  const [database, owner] = [identifier(name), identifier(ownerRole(name))]
  return [
    ...(now?.hasOwner === true ? [] : [sql`create role ${owner} nologin`]),
    ...(now?.charset === undefined
      ? [
          sql`create database ${database} owner ${owner} template template0 encoding ${charset}
            lc_collate ${collation} lc_ctype ${collation}`,
        ]
      : []),
    sql`revoke all on database ${database} from public`,
  ]
}

/** The step that removes a database with all that it contains, and the role that owns it. */
export const dropDatabase = (server: PostgresServer): StepKind<{ readonly name: string }, null, null> =>
  finalStep<{ readonly name: string }>({
    name: 'postgresql.drop-database',
    plan: ({ name }) => ({ title: `Remove the database ${name} from PostgreSQL, with all its tables` }),
    why: 'the tables are gone with the database',
    act: async ({ name }) => {
      await removeDatabase(server, name, false)
      return null
    },
    isDone: async ({ name }) => {
      const left = await readDatabase(server, name)
      if (left === undefined) return true
      return left.charset === undefined ? undefined : false
    },
  })

async function removeDatabase(server: PostgresServer, name: string, keepsOwner: boolean): Promise<void> {
  await server.run(sql`drop database if exists ${identifier(name)} with (force)`)
  await dropRole(server, { role: clientRole(name), database: name })
  if (!keepsOwner) await dropRole(server, { role: ownerRole(name), database: name })
}

const encodingIn = (row: SqlRow): Encoding => ({
  charset: String(row['charset']),
  collation: String(row['collation']),
})

/** Reads those of the named databases that the server has. */
export async function findDatabases(
  server: PostgresServer,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundDatabase>> {
  if (names.length === 0) return new Map()
  const rows = await server.run({
    parts: [
      'select datname name, pg_encoding_to_char(encoding) charset, datcollate collation, pg_database_size(oid) size from pg_database where datname in (',
      ...names.slice(1).map(() => ', '),
      ')',
    ],
    values: names,
  })
  return new Map(
    rows.map((row) => [
      String(row['name']),
      { name: String(row['name']), ...encodingIn(row), sizeBytes: Number(row['size']) },
    ]),
  )
}

/** The character set and the collation of new databases: Debian's server has them without further packages. */
export const standardEncoding: Encoding = { charset: 'UTF8', collation: 'C.utf8' }

/** Lists the character sets of the server with the collations that a database of them can have, the default first. */
export async function findCollations(server: PostgresServer): Promise<readonly Encoding[]> {
  const rows = await server.run(
    sql`select pg_encoding_to_char(encoding) charset, collname collation
      from generate_series(0, 34) encoding join pg_collation on collencoding in (-1, encoding)
      where collprovider = 'c' and collname <> 'POSIX' and collnamespace = 'pg_catalog'::regnamespace
        and pg_encoding_to_char(encoding) <> ''
      order by 1, collname <> ${standardEncoding.collation}, collname <> 'C', 2`,
  )
  return rows.map(encodingIn)
}

/** Lists the databases of the server that are none of its own. */
export async function listDatabases(
  server: PostgresServer,
): Promise<readonly (FoundDatabase & { readonly owner: string })[]> {
  const rows = await server.run(
    sql`select datname name, pg_encoding_to_char(encoding) charset, datcollate collation,
      pg_database_size(d.oid) size, rolname owner from pg_database d join pg_roles r on r.oid = datdba
      where not datistemplate and datname <> 'postgres' order by datname`,
  )
  return rows.map((row) => ({
    name: String(row['name']),
    ...encodingIn(row),
    sizeBytes: Number(row['size']),
    owner: String(row['owner']),
  }))
}
