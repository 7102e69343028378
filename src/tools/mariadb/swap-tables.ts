import type { StepKind } from '../../core/change.ts'
import { identifier, sql, type SqlConnection, type SqlStatement } from '../../host/apply/steps.ts'

export interface SwapTablesArgs {
  /** The database whose tables come. */
  readonly from: string
  /** The database whose tables are replaced. */
  readonly into: string
  /** A new database for those that go. */
  readonly former: string
  /** Tables that stay in both. */
  readonly kept: readonly string[]
}

interface Before {
  readonly from: readonly string[]
  readonly into: readonly string[]
}

/** What of a database can change places with another one's. */
export interface MovableTables {
  readonly tables: readonly string[]
  /** What cannot, such as `the view seen`. */
  readonly obstacles: readonly string[]
  /** Tables with those that their foreign keys refer to, with which they have to move. */
  readonly references: readonly { readonly table: string; readonly refers: string }[]
}

/**
 * The step that replaces the tables of a database by those of another one. It is one statement, which the server carries out as a whole: nobody
 * sees some of both.
 */
export function swapTables(connection: SqlConnection): StepKind<SwapTablesArgs, Before, null> {
  const tablesOf = (database: string) => listTables(connection, database)
  const isDone = async (args: SwapTablesArgs, before: Before): Promise<boolean> => {
    const [into, former] = [await tablesOf(args.into), await tablesOf(args.former)]
    const has = (all: readonly string[], wanted: readonly string[]) =>
      wanted.every((name) => all.includes(name))
    return has(into, moved(args, before.from)) && has(former, moved(args, before.into))
  }
  return {
    name: 'mariadb.swap-tables',
    plan: ({ from, into, kept }) => ({
      title: `Replace the tables of the database ${into} by those of ${from}, all at once`,
      ...(kept.length > 0 && { details: [`Stay as they are: ${kept.join(', ')}`] }),
    }),
    observe: async ({ from, into }) => ({ from: await tablesOf(from), into: await tablesOf(into) }),
    act: async (args, { before }) => {
      if (await isDone(args, before)) return null
      await connection.run(sql`create database if not exists ${identifier(args.former)}`)
      await connection.run(there(args, before))
      return null
    },
    undo: async (args, before) => {
      const now = { into: await tablesOf(args.into), former: await tablesOf(args.former) }
      if (isSwapped(args, before, now)) await connection.run(back(args, now))
      if ((await tablesOf(args.former)).length === 0)
        await connection.run(sql`drop database if exists ${identifier(args.former)}`)
    },
    notUndone: 'the tables may have other rows by now: restore the safety backup instead',
    check: async (args, before) => {
      if (await isDone(args, before)) return 'wanted'
      const [found] = await connection.run(
        sql`select 1 from information_schema.schemata where schema_name = ${args.former}`,
      )
      return found === undefined ? 'before' : 'other'
    },
  }
}

const there = (args: SwapTablesArgs, before: Before): SqlStatement =>
  renaming([
    ...moved(args, before.into).map((table) => ({ table, from: args.into, to: args.former })),
    ...moved(args, before.from).map((table) => ({ table, from: args.from, to: args.into })),
  ])

interface Swapped {
  readonly into: readonly string[]
  readonly former: readonly string[]
}

/** The website may have created and removed tables since: all tables go back to where they came from, whatever they are by now. */
const back = (args: SwapTablesArgs, { into, former }: Swapped): SqlStatement =>
  renaming([
    ...moved(args, into).map((table) => ({ table, from: args.into, to: args.from })),
    ...former.map((table) => ({ table, from: args.former, to: args.into })),
  ])

/** All of it was one statement: a single table that has moved tells that the others have. */
const isSwapped = (args: SwapTablesArgs, before: Before, { into, former }: Swapped): boolean =>
  former.length > 0 || (moved(args, before.into).length === 0 && moved(args, into).length > 0)

const moved = ({ kept }: SwapTablesArgs, tables: readonly string[]): readonly string[] =>
  tables.filter((name) => !kept.includes(name))

interface Move {
  readonly table: string
  readonly from: string
  readonly to: string
}

/** A list of names needs a statement that is built by hand. */
function renaming(moves: readonly Move[]): SqlStatement {
  const parts = moves.flatMap((_move, at) => [at === 0 ? 'rename table ' : ', ', '.', ' to ', '.'])
  const values = moves.flatMap(({ table, from, to }) => [from, table, to, table].map(identifier))
  return { parts: [...parts, ''], values }
}

async function listTables(connection: SqlConnection, database: string): Promise<readonly string[]> {
  const rows = await connection.run(
    sql`select table_name name from information_schema.tables
      where table_schema = ${database} and table_type = 'BASE TABLE' order by table_name`,
  )
  return rows.map(({ name }) => String(name))
}

/** Lists the tables of a database, and what a renaming to another database refuses. */
export async function listMovable(connection: SqlConnection, database: string): Promise<MovableTables> {
  const rows = await connection.run(
    sql`select concat('the view ', table_name) what from information_schema.tables
        where table_schema = ${database} and table_type <> 'BASE TABLE'
      union all select concat('the trigger ', trigger_name) from information_schema.triggers
        where trigger_schema = ${database}
      union all select concat('the foreign key ', constraint_name, ' of ', table_name) from information_schema.key_column_usage
        where table_schema = ${database} and referenced_table_schema <> ${database}`,
  )
  const keys = await connection.run(
    sql`select distinct table_name, referenced_table_name from information_schema.key_column_usage
      where table_schema = ${database} and referenced_table_schema = ${database}`,
  )
  return {
    tables: await listTables(connection, database),
    obstacles: rows.map(({ what }) => String(what)),
    references: keys.map(({ table_name, referenced_table_name }) => ({
      table: String(table_name),
      refers: String(referenced_table_name),
    })),
  }
}
