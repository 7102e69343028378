import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import { NotFound } from '../../core/problem.ts'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { databaseName, schemaPath } from './layout.ts'

interface SchemaParts {
  readonly connection: SqlConnection
  readonly connect: Host['connect']
  readonly socketPath: string
  readonly files: Host['files']
}

/** The step that creates the tables of PowerDNS in its new database. */
export function loadSchema(parts: SchemaParts): StepKind<null, null, null> {
  const session = parts.connect.session({
    name: 'MariaDB',
    at: { socketPath: parts.socketPath },
    user: 'root',
  })
  return finalStep<null>({
    name: 'powerdns.load-schema',
    plan: () => ({ title: `Load ${schemaPath} into the database ${databaseName}` }),
    why: 'the tables are removed with the database',
    act: async () => {
      const text = await parts.files.read(schemaPath)
      if (text === undefined) throw NotFound(`${schemaPath} does not exist: pdns-backend-mysql is incomplete`)
      await session('utf8mb4', [sql`use powerdns`, ...statementsOf(text)])
      return null
    },
    isDone: async () => {
      const [row] = await parts.connection.run(
        sql`select count(*) tables from information_schema.tables where table_schema = ${databaseName}`,
      )
      const count = Number(row?.['tables'])
      return count === 0 ? false : count >= 7 || undefined
    },
  })
}

/** The schema has neither procedures nor `;` within texts. */
export const statementsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => ({ parts: [statement], values: [] }))
