import type { StepKind } from '../../core/change.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { finalStep } from '../../core/steps.ts'
import { listOf, recordOf } from './accounts.ts'
import { ownDatabases } from './backups.ts'
import type { BsonValue } from './wire/bson.ts'
import type { DocumentConnection } from './wire/client.ts'

/** A database as the server has it. */
interface FoundDatabase {
  readonly sizeBytes: number
  readonly documents: number
  readonly collections: number
}

/** Lists the databases of the server that are none of its own. One without a collection does not exist yet. */
export async function listDatabases(
  connection: DocumentConnection,
): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
  const { databases } = await connection.run('admin', { listDatabases: 1 })
  return listOf(databases)
    .map(recordOf)
    .map(({ name, sizeOnDisk }) => ({ name: String(name), sizeBytes: countOf(sizeOnDisk) }))
    .filter(({ name }) => !ownDatabases.has(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Reads those of the named databases that the server has. */
export async function findDatabases(
  connection: DocumentConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundDatabase>> {
  const present = new Map((await listDatabases(connection)).map(({ name, sizeBytes }) => [name, sizeBytes]))
  const limit = new Semaphore(mostConnections)
  const read = async (name: string) => {
    const { objects, collections } = await limit.run(() => connection.run(name, { dbStats: 1 }))
    const sizeBytes = present.get(name) ?? 0
    return [name, { sizeBytes, documents: countOf(objects), collections: countOf(collections) }] as const
  }
  return new Map(await Promise.all(names.filter((name) => present.has(name)).map(read)))
}

/** Each command has a connection of its own, whose sign-in takes longer than the command. */
const mostConnections = 8

const countOf = (value: BsonValue | undefined): number =>
  typeof value === 'number' && value >= 0 ? Math.floor(value) : 0

/** The step that removes a database with all that it contains; its accounts stay. */
export const dropDatabase = (
  connection: DocumentConnection,
): StepKind<{ readonly name: string }, null, null> =>
  finalStep<{ readonly name: string }>({
    name: 'mongodb.drop-database',
    plan: ({ name }) => ({ title: `Remove the database ${name} from MongoDB, with all its collections` }),
    why: 'the collections are gone with the database',
    act: async ({ name }) => {
      await connection.run(name, { dropDatabase: 1 })
      return null
    },
    isDone: async ({ name }) => (await listDatabases(connection)).every((each) => each.name !== name),
  })
