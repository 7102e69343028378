import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { finalStep, type Was } from '../../core/steps.ts'
import {
  identifier,
  sql,
  type SqlConnection,
  type SqlRow,
  type SqlStatement,
  sqlStep,
} from '../../host/apply/steps.ts'

/** How text is stored and compared. */
export interface Encoding {
  readonly charset: string
  readonly collation: string
}

interface DatabaseArgs extends Encoding {
  readonly name: string
}

/** A database as the server has it; sizes and rows are its estimates. */
interface FoundDatabase extends DatabaseArgs {
  readonly sizeBytes: number
  readonly rows: number
  readonly tables: number
}

export const DatabaseExists = problem('conflict', 409, 'The server has a database of this name')

/** The step that creates an empty database. */
export function createDatabase(connection: SqlConnection): StepKind<DatabaseArgs, Was<Encoding>, null> {
  const kind = sqlStep<DatabaseArgs, Encoding>(connection, {
    name: 'mariadb.create-database',
    title: ({ name }) => `Create the database ${name} in MariaDB`,
    object: ({ name }) => `database ${name}`,
    read: ({ name }) => encodingOf(name),
    stateOf: ([row]) => row && encodingIn(row),
    wanted: ({ charset, collation }) => ({ charset, collation }),
    write: ({ name }, state) => [
      state === undefined
        ? sql`drop database ${identifier(name)}`
        : sql`create database ${identifier(name)} character set ${state.charset} collate ${state.collation}`,
    ],
    show: ({ charset, collation }) => `${charset}, ${collation}`,
  })
  const observe = async (args: DatabaseArgs) => {
    const before = await kind.observe(args)
    if (before.was !== null) throw DatabaseExists(`name: ${args.name} exists on the server`)
    return before
  }
  return { ...kind, observe, notUndone: 'the database may have tables by now: delete it instead' }
}

/** The step that removes a database with all that it contains. */
export const dropDatabase = (connection: SqlConnection): StepKind<{ readonly name: string }, null, null> =>
  finalStep<{ readonly name: string }>({
    name: 'mariadb.drop-database',
    plan: ({ name }) => ({ title: `Remove the database ${name} from MariaDB, with all its tables` }),
    why: 'the tables are gone with the database',
    act: async ({ name }) => {
      await connection.run(sql`drop database if exists ${identifier(name)}`)
      return null
    },
    isDone: async ({ name }) => (await connection.run(encodingOf(name))).length === 0,
  })

export const encodingOf = (name: string): SqlStatement =>
  sql`select default_character_set_name charset, default_collation_name collation
    from information_schema.schemata where schema_name = ${name}`

export const encodingIn = (row: SqlRow): Encoding => ({
  charset: String(row['charset']),
  collation: String(row['collation']),
})

const namesPerStatement = 100

/** Reads those of the named databases that the server has. Each is looked up by itself: a list of names would open the tables of all. */
export async function findDatabases(
  connection: SqlConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundDatabase>> {
  const found = new Map<string, FoundDatabase>()
  for (let at = 0; at < names.length; at += namesPerStatement)
    for (const row of await connection.run(lookup(names.slice(at, at + namesPerStatement))))
      found.set(String(row['name']), foundIn(row))
  return found
}

function lookup(names: readonly string[]): SqlStatement {
  const [first, middle, last] = [
    'select schema_name name, default_character_set_name charset, default_collation_name collation,' +
      ' size, row_count, table_count from information_schema.schemata join (select count(*) table_count,' +
      ' coalesce(sum(data_length + index_length), 0) size, coalesce(sum(table_rows), 0) row_count' +
      ' from information_schema.tables where table_schema = ',
    ') tables_of_it where schema_name = ',
    '',
  ]
  const parts = names.flatMap((_name, at) => [`${at === 0 ? '' : ' union all '}${first}`, middle])
  return { parts: [...parts, last], values: names.flatMap((name) => [name, name]) }
}

const foundIn = (row: SqlRow): FoundDatabase => ({
  name: String(row['name']),
  ...encodingIn(row),
  sizeBytes: Number(row['size']),
  rows: Number(row['row_count']),
  tables: Number(row['table_count']),
})

/** Lists the collations of the server by their character set, the default of each first. */
export async function findCollations(connection: SqlConnection): Promise<readonly Encoding[]> {
  const rows = await connection.run(
    sql`select character_set_name charset, collation_name collation from information_schema.collations
      where character_set_name is not null order by charset, is_default desc, collation`,
  )
  return rows.map(encodingIn)
}
