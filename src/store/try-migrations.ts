import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Migration } from '../core/area.ts'
import { allMigrations, openInDirectory } from './in-directory.ts'
import { isOnServer } from './tolerated.ts'

/**
 * Opens a copy of a store, which may be in use, as this release would; throws what a start would meet. The copy of a store on a
 * server is one in SQLite; there is none where the address of the server is not known.
 */
export async function tryMigrations(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  migrations: readonly Migration[],
  now: Date,
): Promise<void> {
  if (databaseUrl === undefined && (isOnServer(dataDir) || !existsSync(`${dataDir}/hostreeve.db`))) return
  const trial = mkdtempSync(`${dataDir}/.trial-`)
  try {
    const path = `${trial}/hostreeve.db`
    if (databaseUrl === undefined) copyFile(dataDir, path)
    else {
      const { copyToSqlite } = await import('./copying/to-sqlite.ts')
      await copyToSqlite({ url: databaseUrl, path, migrations: allMigrations(migrations) })
    }
    copyFileSync(`${dataDir}/secret.key`, `${trial}/secret.key`)
    await (await openInDirectory({ dataDir: trial, migrations, now })).close()
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

function copyFile(dataDir: string, path: string): void {
  const database = new DatabaseSync(`${dataDir}/hostreeve.db`, { readOnly: true, timeout: 10_000 })
  database.prepare('VACUUM INTO ?').run(path)
  database.close()
}
