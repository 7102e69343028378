import { type Kysely, sql } from 'kysely'
import type { Migration } from '../core/area.ts'
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
 * Brings the schema up to date: all areas' migrations in one order, each in its own transaction with its record.
 * `copyFirst` is called once when a store that already holds something is about to change.
 */
export async function migrate(
  db: Kysely<Tables>,
  migrations: readonly Migration[],
  now: Date,
  copyFirst: () => void,
): Promise<readonly string[]> {
  await sql`create table if not exists schema_migrations (name text primary key, applied_at text not null)`.execute(
    db,
  )
  const applied = new Set(
    (await db.selectFrom('schema_migrations').select('name').execute()).map((row) => row.name),
  )
  const known = inOrder(migrations)
  const unknown = [...applied].filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerSchema(unknown)
  const pending = known.filter((migration) => !applied.has(migration.name))
  if (pending.length > 0 && applied.size > 0) copyFirst()
  for (const migration of pending) await apply(db, migration, now)
  return pending.map((migration) => migration.name)
}

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

async function apply(db: Kysely<Tables>, migration: Migration, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const statement of migration.statements) await sql.raw(statement).execute(tx)
    await tx
      .insertInto('schema_migrations')
      .values({ name: migration.name, applied_at: now.toISOString() })
      .execute()
  })
}
