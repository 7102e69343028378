import { randomBytes } from 'node:crypto'
import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import type { Owner } from '../../host/owner/index.ts'
import { findAccount, listAccounts } from './accounts.ts'
import { lastLines } from './backups.ts'
import { mostOutputBytes, refusedIn, restoredIn } from './restore-output.ts'
import type { DocumentConnection } from './wire/client.ts'
import { openRelay } from './wire/relay-socket.ts'

interface ImportArgs {
  readonly username: string
  readonly database: string
  /** The file with the archive, relative to the home. */
  readonly file: string
  /** An archive of the database, relative to the home, from which it is restored if the import fails. */
  readonly safety?: string
}

/** The result of an import. */
interface Imported {
  /** How many documents were restored. */
  readonly statements: number
}

/** Where imports are made. */
export interface ImportParts {
  readonly connection: DocumentConnection
  readonly ownerOf: (username: string) => Promise<Pick<Owner, 'run'>>
  readonly port: () => Promise<number>
}

export const ImportFailed = problem('import_failed', 500, 'The archive was not imported')

const limitMs = 12 * 3_600_000
const secretPath = '/tmp/hostreeve-import.yaml'
/** No account of a website is named so: those have the owner and _ before their name. */
const importAccount = /^hostreeve-import-[0-9a-f]{12}$/

/** True for the name of an account of an import, which a start of the panel removes. */
export const isImportAccount = (username: string): boolean => importAccount.test(username)

/**
 * The step that restores an archive of `mongodump` into a database. `mongorestore` runs under the uid of the owner,
 * without a network but for the server, and as an account of the server that has rights on this database alone.
 */
export function importDatabase(on: ImportParts): StepKind<ImportArgs, null, Imported> {
  const kind = finalStep<ImportArgs, null, Imported>({
    name: 'mongodb.import',
    plan: ({ username, database, file }) => ({
      title: `Import ${file} of ${username} into the database ${database}`,
    }),
    why: 'documents that were imported stay, unless a safety dump is made before',
    act: async ({ username, database, file, safety }, { signal }) => {
      const owner = await on.ownerOf(username)
      const restore = (path: string, limits: { readonly signal?: AbortSignal } = {}) =>
        restoreFrom(on, { owner, database, path, ...limits })
      try {
        return { statements: await restore(file, { signal }) }
      } catch (error) {
        if (safety !== undefined) {
          await on.connection.run(database, { dropDatabase: 1 })
          await restore(safety)
        }
        throw error
      }
    },
    isDone: async () => undefined,
  })
  return { ...kind, recover: () => dropImportAccounts(on.connection) }
}

interface Restoring {
  readonly owner: Pick<Owner, 'run'>
  readonly database: string
  readonly path: string
  readonly signal?: AbortSignal
}

async function restoreFrom(
  { connection, port }: ImportParts,
  { owner, database, path, signal }: Restoring,
): Promise<number> {
  const username = `hostreeve-import-${randomBytes(6).toString('hex')}`
  const password = randomBytes(18).toString('base64url')
  const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: database }))
  const relay = await openRelay(await port())
  const at = `${username}:${password}@${encodeURIComponent(relay.path)}`
  const uri = `mongodb://${at}/?authSource=${database}&authMechanism=SCRAM-SHA-256&directConnection=true`
  try {
    await connection.run(database, { createUser: username, pwd: password, roles })
    const result = await owner.run(
      [
        '/usr/bin/mongorestore',
        `--config=${secretPath}`,
        '--gzip',
        `--archive=./${path}`,
        '--nsExclude=admin.*',
        '--nsFrom=$from$.$collection$',
        `--nsTo=${database}.$collection$`,
      ],
      {
        sockets: [relay.path],
        file: { path: secretPath, content: `uri: "${uri}"\n` },
        timeoutMs: limitMs,
        maxBytes: mostOutputBytes,
        ...(signal && { signal }),
      },
    )
    if (result.code !== 0 || refusedIn(result.stderr) !== 0)
      throw ImportFailed(`MongoDB: ${lastLines(result).replaceAll(password, '…')}`)
    return restoredIn(result.stderr)
  } finally {
    await relay.close()
    if ((await findAccount(connection, { username, database })) !== undefined)
      await connection.run(database, { dropUser: username })
  }
}

/** Removes the accounts of imports that were killed. */
export async function dropImportAccounts(connection: DocumentConnection): Promise<void> {
  for (const { username, database } of await listAccounts(connection))
    if (isImportAccount(username)) await connection.run(database, { dropUser: username })
}
