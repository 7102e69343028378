import type { StepKind, StepRun, StepState } from '../../../core/change.ts'
import { NotFound, Problem } from '../../../core/problem.ts'
import { identifier, sql, type SqlConnection } from '../../../host/apply/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { clearImport, importFile, type Importing } from './import.ts'

interface ImportArgs {
  readonly username: string
  readonly database: string
  /** The file with the dump, relative to the home. */
  readonly file: string
  /** The account of the site, which is given what the import makes. */
  readonly definer: { readonly username: string; readonly host: string }
  /** A dump of the database, relative to the home, from which it is restored if the import fails. */
  readonly safety?: string
  /** True if the database is emptied before the first statement, so that nothing else stays in it. */
  readonly replaces?: boolean
  /** Marks the database on the server, as one into which this step imports. */
  readonly label: string
}

/** The result of an import. */
export interface Imported {
  readonly statements: number
}

interface Before {
  readonly comment: string
  readonly charset: string
  readonly collation: string
}

/** Where imports are made. */
export interface ImportingHomes extends Importing {
  readonly ownerOf: (username: string) => Promise<Owner>
}

const underWay = (label: string): string => `is being imported by the panel: ${label}`
const complete = (label: string): string => `was imported by the panel: ${label}, `

const final = 'statements that ran stay, unless a safety dump is made before'
const restorable = 'the database may have other rows by now: import the safety dump instead'

/** The step that imports a dump into a database. One that fails restores the database from its safety dump, if there is one. */
export function importDatabase(on: ImportingHomes): StepKind<ImportArgs, Before, Imported> {
  const { connection } = on
  return {
    name: 'mariadb.import',
    plan: ({ username, database, file, safety }) => ({
      title: `Import ${file} of ${username} into the database ${database}`,
      ...(safety === undefined && { irreversible: final }),
    }),
    observe: ({ database }) => readDatabase(connection, database),
    act: async ({ username, label, file: path, replaces = false, ...rest }, { before, signal, progress }) => {
      let hasBegun = false
      const onBegin = async () => {
        hasBegun = true
        await (replaces
          ? emptyDatabase(connection, rest.database, { ...before, comment: underWay(label) })
          : setComment(connection, rest.database, underWay(label)))
      }
      const order = { ...rest, path, owner: await on.ownerOf(username), onBegin }
      const limits = { signal, onProgress: reporting(progress) }
      const statements = await importFile(on, order, limits).catch((error: unknown) => {
        throw hasBegun && rest.safety === undefined ? partial(error) : error
      })
      await setComment(connection, rest.database, `${complete(label)}${statements} statements`)
      return { statements }
    },
    undo: async (args, before) => {
      const owner = await on.ownerOf(args.username)
      await clearImport(on, { owner, database: args.database })
      const isTouched = (await stateOf(connection, args, before)) !== 'before'
      if (isTouched && args.safety !== undefined) await restore(on, { ...args, safety: args.safety }, before)
    },
    notUndone: ({ safety }) => (safety === undefined ? final : restorable),
    check: (args, before) => stateOf(connection, args, before),
    again: async ({ database, label }) => {
      const { comment } = await readDatabase(connection, database)
      if (!comment.startsWith(complete(label))) return undefined
      return { statements: Number.parseInt(comment.slice(complete(label).length), 10) }
    },
  }
}

/** What ran before the failure stays. */
const partial = (error: unknown): unknown =>
  error instanceof Problem
    ? error.kind(error.message, { cause: error.cause, fields: { is_partial: true } })
    : error

async function readDatabase(connection: SqlConnection, name: string): Promise<Before> {
  const [row] = await connection.run(
    sql`select schema_comment, default_character_set_name, default_collation_name
      from information_schema.schemata where schema_name = ${name}`,
  )
  if (row === undefined) throw NotFound(`MariaDB has no database ${name}`)
  return {
    comment: String(row['schema_comment']),
    charset: String(row['default_character_set_name']),
    collation: String(row['default_collation_name']),
  }
}

const setComment = (connection: SqlConnection, name: string, comment: string) =>
  connection.run(sql`alter database ${identifier(name)} comment ${comment}`)

async function stateOf(
  connection: SqlConnection,
  { database, label }: ImportArgs,
  before: Before,
): Promise<StepState> {
  const { comment } = await readDatabase(connection, database)
  if (comment.startsWith(complete(label))) return 'wanted'
  return comment === before.comment ? 'before' : 'other'
}

/** Replaces the database by its safety dump. The rights of accounts on it stay; the mark stays until the end. */
async function restore(
  on: ImportingHomes,
  { username, database, safety, definer, label }: ImportArgs & { readonly safety: string },
  { comment, charset, collation }: Before,
): Promise<void> {
  const { connection } = on
  await emptyDatabase(connection, database, { charset, collation, comment: underWay(label) })
  const order = { owner: await on.ownerOf(username), database, path: safety, definer }
  await importFile(on, order, { signal: new AbortController().signal, onProgress: () => {} })
  await setComment(connection, database, comment)
}

const emptyDatabase = (
  connection: SqlConnection,
  database: string,
  { charset, collation, comment }: Before,
) =>
  connection.run(
    sql`create or replace database ${identifier(database)} character set ${charset} collate ${collation} comment ${comment}`,
  )

const reportEveryMs = 500

function reporting(progress: StepRun<unknown>['progress']) {
  let reportedAt = -Infinity
  return (bytes: number, ofBytes: number | undefined, statements: number) => {
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    const percent = ofBytes === undefined ? null : Math.min(99, (bytes / Math.max(1, ofBytes)) * 100)
    progress(percent, `${bytes} bytes were read, ${statements} statements were sent`)
  }
}
