import { tryMigrations } from '../../store/try-migrations.ts'
import { areas } from '../areas.ts'
import { migrationsOf } from '../migrations.ts'
import type { Call } from './command.ts'

/** Tries the migrations of this version on a copy of the store in a data directory; an older version calls it before it updates. */
export async function tryMigrationsOn({ positionals: [dataDir = ''] }: Call): Promise<number> {
  await tryMigrations(dataDir, migrationsOf(areas), new Date())
  return 0
}
