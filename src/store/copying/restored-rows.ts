import { Kysely } from 'kysely'
import type { Migration } from '../../core/area.ts'
import { messageOf } from '../disk-failures.ts'
import { migrate } from '../migrate.ts'
import { removeStoreFile } from '../restored.ts'
import { openSqlite, sqliteDialect } from '../sqlite.ts'
import { allMigrations } from '../in-directory.ts'
import type { Tables } from '../tables.ts'
import { CopyUnanswered, loadIntoPostgres, tryLoading } from './to-postgres.ts'

interface Restored {
  readonly dataDir: string
  readonly databaseUrl: string
  readonly migrations: readonly Migration[]
  /** The session that has the lock of the database. */
  readonly lockPid: number
}

/** The trial before the restore was asked for has met what the load does not, as where the disk of the server is full. */
class RestoreNotLoaded extends Error {
  constructor(file: string, cause: unknown) {
    const begin = `The restored store ${file} cannot be loaded into the database, whose rows`
    super(
      cause instanceof CopyUnanswered
        ? `${begin} may be those of the restore already: ${messageOf(cause)}. Start again: it is loaded once more`
        : `${begin} are as they were: ${messageOf(cause)}. Start again once that is mended; to stay with those rows, remove the file, and put secret.key of the backup before-restore-… back`,
      { cause },
    )
    this.name = 'RestoreNotLoaded'
  }
}

/** Loads the file of a restore into the database on the server, in one transaction, and removes it. */
export async function takeRestoredRows({
  dataDir,
  databaseUrl,
  migrations,
  lockPid,
}: Restored): Promise<void> {
  const file = `${dataDir}/hostreeve.db`
  const database = openSqlite(file)
  try {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
    await migrate(db, allMigrations(migrations), new Date(), () => {})
    await loadIntoPostgres(database, databaseUrl, lockPid).catch((error: unknown) => {
      throw new RestoreNotLoaded(file, error)
    })
  } finally {
    database.close()
  }
  removeStoreFile(file)
}

/** Throws if the file of a store in a folder could not be loaded into the database on the server; it is up to date already. */
export async function tryRestoredRows({
  dataDir,
  databaseUrl,
}: Pick<Restored, 'dataDir' | 'databaseUrl'>): Promise<void> {
  const database = openSqlite(`${dataDir}/hostreeve.db`)
  try {
    await tryLoading(database, databaseUrl)
  } finally {
    database.close()
  }
}
