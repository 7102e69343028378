import {
  identifier,
  sql,
  type SqlConnection,
  type SqlRow,
  type SqlStatement,
} from '../../../host/apply/steps.ts'
import type { SqlSession } from '../../../host/connect/index.ts'
import { importAccount } from './account.ts'
import { ImportFailed } from '../../sql-import/problems.ts'

/** The account that owns what an import has made. */
export interface Definer {
  readonly username: string
  readonly host: string
}

/** Where definers are changed. */
export interface Redefining {
  readonly connection: SqlConnection
  readonly session: SqlSession
}

/** A view, routine, trigger or event, with the settings that it was made with. */
interface Stored {
  readonly type: string
  readonly name: string
  readonly charset: string
  readonly collation: string
  readonly mode: string | null
  readonly zone: string | null
}

/** Columns of SHOW CREATE that contain the statement. */
const statementColumns = [
  'Create View',
  'Create Procedure',
  'Create Function',
  'Create Package',
  'Create Package Body',
  'SQL Original Statement',
  'Create Event',
]

/**
 * Gives the views, routines, triggers and events that the account of an import has made to an account of the
 * site. The import itself could not: who may set another definer could also set root.
 */
export async function redefine(on: Redefining, database: string, definer: Definer): Promise<void> {
  const account = `${importAccount(database)}@localhost`
  for (const stored of await findMade(on.connection, database, account))
    await redefineOne(on, { database, stored, definer })
}

async function findMade(
  connection: SqlConnection,
  database: string,
  account: string,
): Promise<readonly Stored[]> {
  const rows: SqlRow[] = []
  for (const statement of lookups(database, account)) rows.push(...(await connection.run(statement)))
  return rows.map((row) => ({
    type: String(row['type']),
    name: String(row['name']),
    charset: String(row['charset']),
    collation: String(row['collation']),
    mode: textOf(row['mode']),
    zone: textOf(row['zone']),
  }))
}

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value)

const settings = 'character_set_client as charset, collation_connection as collation'
const order = ' order by event_object_table, action_timing, event_manipulation, action_order' // in which triggers run: each is made again as the last one

function lookups(database: string, account: string): readonly SqlStatement[] {
  const madeIn = (table: string, schema: string, columns: string, end = ''): SqlStatement => ({
    parts: [
      `select ${columns}, ${settings} from information_schema.${table} where ${schema} = `,
      ' and definer = ',
      end,
    ],
    values: [database, account],
  })
  return [
    madeIn('routines', 'routine_schema', 'routine_type as type, routine_name as name, sql_mode as mode'),
    madeIn('triggers', 'trigger_schema', "'TRIGGER' as type, trigger_name as name, sql_mode as mode", order),
    madeIn(
      'events',
      'event_schema',
      "'EVENT' as type, event_name as name, sql_mode as mode, time_zone as zone",
    ),
    madeIn('views', 'table_schema', "'VIEW' as type, table_name as name"),
  ]
}

interface One {
  readonly database: string
  readonly stored: Stored
  readonly definer: Definer
}

async function redefineOne({ connection, session }: Redefining, one: One): Promise<void> {
  const { database, stored } = one
  const { type, name, charset, collation, mode, zone } = stored
  const show = { parts: [`show create ${type} `, '.', ''], values: [identifier(database), identifier(name)] }
  const [row = {}] = await connection.run(show)
  const column = statementColumns.find((found) => typeof row[found] === 'string')
  const made = withDefiner(String(row[column ?? '']), one)
  await session(charset === 'utf8mb3' ? 'utf8' : charset, [
    sql`use ${identifier(database)}`,
    sql`set session collation_connection = ${collation}`,
    ...(zone === null ? [] : [sql`set session time_zone = ${zone}`]),
    ...(mode === null ? [] : [sql`set session sql_mode = ${mode}`]),
    made,
  ])
}

const opening = /^CREATE (?:OR REPLACE )?(ALGORITHM=\w+ )?DEFINER=/

/**
 * The server writes the definer first, or after the algorithm of a view, and quotes it as the modes require. The
 * rest is passed on as it is, and the server takes it as one statement.
 */
function withDefiner(text: string, { database, stored, definer }: One): SqlStatement {
  const [begin = '', algorithm = ''] = opening.exec(text) ?? []
  const rest = text.slice(begin.length)
  const [quote = '`'] = rest
  const former = `${accountText(importAccount(database), 'localhost', quote)} `
  if (begin === '' || !rest.startsWith(former))
    throw ImportFailed(`${stored.type.toLowerCase()} ${stored.name}: its account could not be changed`)
  const account = accountText(definer.username, definer.host, quote)
  return {
    parts: [`CREATE OR REPLACE ${algorithm}DEFINER=${account} ${rest.slice(former.length)}`],
    values: [],
  }
}

function accountText(username: string, host: string, quote: string): string {
  const quoted = (name: string) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
  return `${quoted(username)}@${quoted(host)}`
}
