import { Kysely } from 'kysely'
import { rmSync } from 'node:fs'
import type { Migration } from '../../core/area.ts'
import { migrate } from '../migrate.ts'
import { openSqlite, sqliteDialect } from '../sqlite.ts'
import { allMigrations } from '../store.ts'
import type { Tables } from '../tables.ts'
import { loadIntoPostgres } from './to-postgres.ts'

interface Restored {
  readonly dataDir: string
  readonly databaseUrl: string
  readonly migrations: readonly Migration[]
}

/** Loads the file of a restore into the database on the server, in one transaction, and removes it. */
export async function takeRestoredRows({ dataDir, databaseUrl, migrations }: Restored): Promise<void> {
  const file = `${dataDir}/hostreeve.db`
  const database = openSqlite(file)
  try {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    await migrate(db, allMigrations(migrations), new Date(), () => {})
    await loadIntoPostgres(database, databaseUrl)
  } finally {
    database.close()
  }
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}
