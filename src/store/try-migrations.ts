import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Migration } from '../core/area.ts'
import { openStore } from './store.ts'

/** Opens a copy of a store, which may be in use, as this release would; throws what a start would meet. */
export async function tryMigrations(
  dataDir: string,
  migrations: readonly Migration[],
  now: Date,
): Promise<void> {
  const trial = mkdtempSync(`${dataDir}/.trial-`)
  try {
    const database = new DatabaseSync(`${dataDir}/hostreeve.db`, { readOnly: true, timeout: 10_000 })
    database.prepare('VACUUM INTO ?').run(`${trial}/hostreeve.db`)
    database.close()
    copyFileSync(`${dataDir}/secret.key`, `${trial}/secret.key`)
    await (await openStore({ dataDir: trial, migrations, now })).close()
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}
