import { type Kysely, sql, type Transaction } from 'kysely'
import type { Migration } from '../core/area.ts'
import { isDiskProblem } from './disk-failures.ts'
import type { Tables } from './tables.ts'

/** The store was written by a newer panel. */
export class NewerSchema extends Error {
  constructor(names: readonly string[]) {
    super(
      `The store was written by a newer version of the panel (${names.join(', ')}): install that version, or restore the copy made before the upgrade`,
    )
    this.name = 'NewerSchema'
  }
}

/**
 * Brings the schema up to date: all areas' migrations in one order and one transaction, so that a failed upgrade leaves the
 * store unchanged and every further start copies the same content.
 * `copyFirst` is called once before a store that is not empty changes, `translate` for each statement.
 */
export async function migrate(
  db: Kysely<Tables>,
  migrations: readonly Migration[],
  now: Date,
  copyFirst: () => void | Promise<void>,
  tolerated: ReadonlySet<string> = new Set(),
  translate: (statement: string) => string = (statement) => statement,
): Promise<readonly string[]> {
  await sql.raw(translate(createTable)).execute(db)
  const known = inOrder(migrations)
  const applied = await assertKnown(db, known, tolerated)
  const pending = known.filter((migration) => !applied.has(migration.name))
  if (pending.length > 0 && applied.size > 0) await copyFirst()
  await db.transaction().execute(async (tx) => {
    for (const migration of pending) await apply(tx, translated(migration, translate), now)
  })
  return pending.map((migration) => migration.name)
}

/** Returns the migrations of a store; throws `NewerSchema` if this panel does not know some of them. */
export async function assertKnown(
  db: Kysely<Tables>,
  migrations: readonly Migration[],
  tolerated: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('schema_migrations').select('name').execute()
  const known = new Set([...tolerated, ...migrations.map(({ name }) => name)])
  const unknown = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (unknown.length > 0) throw new NewerSchema(unknown)
  return new Set(rows.map(({ name }) => name))
}

const createTable =
  'create table if not exists schema_migrations (name text primary key, applied_at text not null)'

const translated = (migration: Migration, translate: (statement: string) => string): Migration => ({
  ...migration,
  statements: migration.statements.map(translate),
})

function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  const sorted = migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  sorted.forEach((migration, index) => {
    if (!/^\d{12}-[a-z0-9-]+$/.test(migration.name))
      throw new Error(`Migration ${migration.name}: name it YYYYMMDDhhmm-what`)
    if (migration.name === sorted[index + 1]?.name)
      throw new Error(`Two migrations are named ${migration.name}`)
  })
  return sorted
}

async function apply(tx: Transaction<Tables>, migration: Migration, now: Date): Promise<void> {
  for (const statement of migration.statements) await run(tx, statement, migration.name)
  await tx
    .insertInto('schema_migrations')
    .values({ name: migration.name, applied_at: now.toISOString() })
    .execute()
}

/** A start that fails here reports which migration failed, and why. */
async function run(tx: Transaction<Tables>, statement: string, name: string): Promise<void> {
  try {
    await sql.raw(statement).execute(tx)
  } catch (error) {
    if (isDiskProblem(error)) throw error
    const { message, cause } = error as Error
    throw new Error(`The migration ${name} failed: ${cause instanceof Error ? cause.message : message}`, {
      cause: error,
    })
  }
}
