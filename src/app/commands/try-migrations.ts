import { tryMigrations } from '../../store/try-migrations.ts'
import { areas } from '../areas.ts'
import { migrationsOf } from '../migrations.ts'
import { readConfig } from '../config.ts'
import type { Call } from './command.ts'

/** Tries the migrations of this version on a copy of the store in a data directory; an older version calls it before it updates. */
export async function tryMigrationsOn({ positionals: [dataDir = ''] }: Call): Promise<number> {
  const { database_url: url } = readConfig({ ...process.env, HOSTREEVE_DATA_DIR: dataDir })
  await tryMigrations({ dataDir, databaseUrl: url || undefined }, migrationsOf(areas), new Date())
  return 0
}
