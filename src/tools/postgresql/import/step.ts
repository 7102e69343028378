import type { StepKind, StepRun, StepState } from '../../../core/change.ts'
import { NotFound } from '../../../core/problem.ts'
import { identifier, sql } from '../../../host/apply/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { closeSource } from '../../sql-import/source.ts'
import { ImportFailed } from '../../sql-import/problems.ts'
import type { PostgresServer } from '../server.ts'
import { type Clients, dropClient } from './clients.ts'
import { importFile, scratchOf } from './import.ts'

interface ImportArgs {
  readonly username: string
  readonly database: string
  /** The file with the dump, relative to the home. */
  readonly file: string
  /** A dump of the database, relative to the home, from which it is restored if what follows the import fails. */
  readonly safety?: string
  /** Marks the database on the server, as one into which this step has imported. */
  readonly label: string
}

interface Before {
  readonly comment: string | null
}

/** Where imports are made. */
export interface ImportingHomes extends Clients {
  readonly ownerOf: (username: string) => Promise<Owner>
}

const complete = (label: string): string => `was imported by the panel: ${label}, `
const final = 'what was imported stays, unless a safety dump is made before'
const restorable = 'the database may have other rows by now: import the safety dump instead'

/** The step that imports a dump into a database: all of it or, if anything fails, nothing. */
export function importDatabase(
  on: ImportingHomes,
): StepKind<ImportArgs, Before, { readonly statements: number }> {
  const { server } = on
  return {
    name: 'postgresql.import',
    plan: ({ username, database, file, safety }) => ({
      title: `Import ${file} of ${username} into the database ${database}`,
      ...(safety === undefined && { irreversible: final }),
    }),
    observe: async ({ database }) => ({ comment: await commentOf(server, database) }),
    act: async ({ username, database, file: path, label }, { signal, progress }) => {
      const owner = await on.ownerOf(username)
      const order = { owner, database, path, replaces: false, comment: commentFor(label) }
      const statements = await importFile(on, order, { signal, onProgress: reporting(progress) })
      if (!(await commentOf(server, database))?.startsWith(complete(label)))
        throw ImportFailed('The text of the file ended the transaction of its import')
      return { statements }
    },
    undo: async ({ username, database, safety, label }, { comment }) => {
      const owner = await on.ownerOf(username)
      await dropClient(on, database)
      await closeSource({ owner, scratch: scratchOf(database) })
      if ((await stateOf(server, { database, label }, comment)) === 'before' || safety === undefined) return
      const order = { owner, database, path: safety, replaces: true, comment: () => comment ?? '' }
      await importFile(on, order, { signal: new AbortController().signal, onProgress: () => {} })
      await server.run(sql`comment on database ${identifier(database)} is ${comment}`)
    },
    notUndone: ({ safety }) => (safety === undefined ? final : restorable),
    check: (args, { comment }) => stateOf(server, args, comment),
    again: async ({ database, label }) => {
      const comment = (await commentOf(server, database)) ?? ''
      if (!comment.startsWith(complete(label))) return undefined
      return { statements: Number.parseInt(comment.slice(complete(label).length), 10) }
    },
  }
}

const commentFor = (label: string) => (statements: number) => `${complete(label)}${statements} statements`

async function commentOf(server: PostgresServer, database: string): Promise<string | null> {
  const [row] = await server.run(
    sql`select shobj_description(oid, 'pg_database') comment from pg_database where datname = ${database}`,
  )
  if (row === undefined) throw NotFound(`PostgreSQL has no database ${database}`)
  const { comment = null } = row
  return comment === null ? null : String(comment)
}

async function stateOf(
  server: PostgresServer,
  { database, label }: Pick<ImportArgs, 'database' | 'label'>,
  before: string | null,
): Promise<StepState> {
  const comment = await commentOf(server, database)
  if (comment?.startsWith(complete(label))) return 'wanted'
  return comment === before ? 'before' : 'other'
}

const reportedBytes = 4 * 1024 * 1024

function reporting(progress: StepRun<unknown>['progress']) {
  let reported = 0
  return (bytes: number, ofBytes: number | undefined, statements: number) => {
    if (bytes - reported < reportedBytes) return
    reported = bytes
    const percent = ofBytes === undefined ? null : Math.min(99, (bytes / Math.max(1, ofBytes)) * 100)
    progress(percent, `${bytes} bytes were read, ${statements} statements were sent`)
  }
}
