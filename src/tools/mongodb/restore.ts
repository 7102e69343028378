import type { StepKind } from '../../core/change.ts'
import { type BackupParts, clientOptions, databasesOf, lastLines, pathOf, restoreMarkOf } from './backups.ts'
import { RestoreFailed } from './problems.ts'
import { mostOutputBytes, refusedIn } from './restore-output.ts'
import type { DocumentConnection } from './wire/client.ts'

interface RestoreArgs {
  /** The backup. */
  readonly name: string
  /** A backup of the present state, from which the databases are put back if this one fails. */
  readonly safety: string
}

type Before = { readonly databases: readonly string[] }

/** Where backups are restored. */
export interface RestoreParts extends BackupParts {
  readonly connection: DocumentConnection
}

const limitMs = 12 * 3_600_000

/**
 * The step that replaces the databases of a backup. A restore that fails, or of which a document is refused,
 * puts the former databases back.
 */
export function restoreAll(on: RestoreParts): StepKind<RestoreArgs, Before, null> {
  const { files } = on
  return {
    name: 'mongodb.restore',
    plan: async ({ name }) => ({
      title: `Replace the databases of MongoDB by those of the backup ${name}`,
      details: [`Databases: ${(await databasesOf(files, name)).join(', ') || 'none'}`],
    }),
    observe: async ({ name }) => ({ databases: await databasesOf(files, name) }),
    act: async (args, { before: { databases }, signal }) => {
      const mark = restoreMarkOf(args.safety)
      await files.write(mark, 'begun\n', { rights: { mode: 0o600 } })
      await replace(on, { from: args.name, databases, signal })
      await files.write(mark, 'done\n')
      return null
    },
    undo: async (args, { databases }) => {
      if ((await files.read(restoreMarkOf(args.safety))) === undefined) return
      await replace(on, { from: args.safety, databases })
      await files.remove(restoreMarkOf(args.safety))
    },
    notUndone: 'the databases may have other documents by now: restore the safety backup instead',
    check: async (args) => {
      const mark = await files.read(restoreMarkOf(args.safety))
      if (mark === undefined) return 'before'
      return mark === 'done\n' ? 'wanted' : 'other'
    },
  }
}

interface Replacing {
  /** The name of the backup. */
  readonly from: string
  readonly databases: readonly string[]
  readonly signal?: AbortSignal
}

/** Drops each database first: `mongorestore --drop` would leave collections that were made since the backup. */
async function replace(
  { run, files, port, connection }: RestoreParts,
  { from, databases, signal }: Replacing,
): Promise<void> {
  for (const database of databases) await connection.run(database, { dropDatabase: 1 })
  const present = new Set(await databasesOf(files, from))
  const included = databases.filter((each) => present.has(each))
  if (included.length === 0) return
  const argv = [
    'mongorestore',
    ...clientOptions(files, await port()),
    '--gzip',
    ...included.map((each) => `--nsInclude=${escaped(each)}.*`),
    `--dir=${files.real(pathOf(from))}`,
  ] as const
  const limits = { timeoutMs: limitMs, maxBytes: mostOutputBytes }
  const result = await run([...argv], { ...limits, ...(signal && { signal }) })
  if (result.code !== 0 || refusedIn(result.stderr) !== 0)
    throw RestoreFailed(`MongoDB: ${lastLines(result)}`)
}

/** A star in a pattern of namespaces stands for any text. */
const escaped = (database: string): string => database.replaceAll(/[\\*]/g, String.raw`\$&`)
