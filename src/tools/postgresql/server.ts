import { Unavailable } from '../../core/problem.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import type { Run, RunResult } from '../../host/run.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

/** How the server of this host is reached. */
export interface PostgresPlace {
  readonly run: Run
  /** The Linux account of the server, whom it knows by the socket as its superuser. */
  readonly account: () => Promise<{ readonly uid: number; readonly gid: number } | undefined>
  /** The folder of psql and pg_dump of the version of the server. */
  readonly programs: () => Promise<string>
  readonly socketFolder: string
  readonly port: number
}

/** A PostgreSQL server, which knows the panel as its superuser. Each call has a connection of its own. */
export interface PostgresServer extends SqlConnection {
  /** Runs a statement in a database; in `postgres`, where no owner of a database can make anything, unless one is named. */
  run(statement: SqlStatement, database?: string): Promise<readonly SqlRow[]>
  /** Runs statements of which all or none take effect. */
  runAll(statements: readonly SqlStatement[], database?: string): Promise<void>
}

type SqlValue = SqlStatement['values'][number]

const timeoutMs = 120_000
const maxBytes = 16 * 1024 * 1024

/**
 * What the owner of a database may have set for it does not count for the superuser, and no function of theirs hides one of
 * the server.
 */
const settings = [
  'search_path=pg_catalog',
  'role=none',
  'default_transaction_read_only=off',
  'default_transaction_isolation=read\\ committed',
  'statement_timeout=0',
  'client_min_messages=error',
]

/** Reaches the server by psql under its account: the server knows that account by the socket, so that the panel needs no password. */
export function openServer(place: PostgresPlace): PostgresServer {
  const send = async (text: string, values: readonly SqlValue[], database = 'postgres') => {
    const result = await runPsql(place, text, database)
    if (result.code !== 0) throw failureOf(result, values)
    if (result.isCut) throw ReplyTooLarge(`PostgreSQL sent more than ${maxBytes} bytes`)
    return result.stdout
  }
  return {
    run: async (statement, database) => {
      const text = textOf(statement)
      if (!/^\s*(?:select|with)\b/i.test(text)) {
        await send(`${text};\n`, statement.values, database)
        return []
      }
      const wrapped = `select coalesce(json_agg(row_to_json("row of it")), '[]') from (${text}\n) "row of it";\n`
      return rowsIn(await send(wrapped, statement.values, database))
    },
    runAll: async (statements, database) => {
      const texts = ['begin', ...statements.map(textOf), 'commit']
      await send(
        texts.map((text) => `${text};\n`).join(''),
        statements.flatMap(({ values }) => values),
        database,
      )
    },
  }
}

async function runPsql(place: PostgresPlace, input: string, database: string): Promise<RunResult> {
  const account = await place.account()
  if (account === undefined) throw Unavailable('PostgreSQL is not installed: the account postgres is missing')
  // a name with = would be read as settings of the connection
  if (/[^\w.-]/.test(database))
    throw SqlRefused(`PostgreSQL: the panel does not open the database ${database}`)
  return place.run(
    [
      `${await place.programs()}/psql`,
      '--no-psqlrc',
      '--no-password',
      '--quiet',
      '--no-align',
      '--tuples-only',
      '--set=ON_ERROR_STOP=1',
      '--set=VERBOSITY=terse',
      `--host=${place.socketFolder}`,
      `--port=${place.port}`,
      '--username=postgres',
      `--dbname=${database}`,
      '--file=-',
    ],
    {
      as: account,
      input,
      timeoutMs,
      maxBytes,
      env: {
        PGOPTIONS: settings.map((setting) => `-c ${setting}`).join(' '),
        PGCLIENTENCODING: 'UTF8',
        PGCONNECT_TIMEOUT: '20',
      },
    },
  )
}

function rowsIn(output: string): readonly SqlRow[] {
  const parsed: unknown = JSON.parse(output)
  return Array.isArray(parsed) ? parsed : []
}

/** Writes values as literals, whose meaning no setting of the server changes. */
export function textOf({ parts, values }: SqlStatement): string {
  return parts.reduce((left, right, at) => `${left}${literalOf(values[at - 1] ?? null)}${right}`)
}

function literalOf(value: SqlValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : value.identifier
  if (text.includes('\0')) throw SqlRefused('PostgreSQL: text cannot contain the character 0')
  if (typeof value !== 'string') return `"${text.replaceAll('"', '""')}"`
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function failureOf({ code, stderr }: RunResult, values: readonly SqlValue[]): Error {
  const message = stderr.replaceAll(/^psql:<stdin>:\d+: /gm, '').trim()
  const secret = values.filter((value) => typeof value === 'string' && value.length > 20)
  const shown = secret
    .reduce<string>((text, value) => text.replaceAll(String(value), '…'), message)
    .slice(0, 2000)
  if (code === 127) return Unavailable('PostgreSQL is not installed: its client psql is missing')
  if (code === 2) return NotAnswering(`PostgreSQL cannot be reached: ${shown}`)
  if (code === 124) return NotAnswering(`PostgreSQL did not complete a statement within ${timeoutMs} ms`)
  return SqlRefused(`PostgreSQL: ${shown || `psql ended with ${code}`}`)
}
