import type { Config } from '../config.ts'
import { withStore } from './offline.ts'

/** Brings the store up to date without starting the panel. A copy is kept if something changes. */
export async function migrate(config: Config): Promise<number> {
  const names = await withStore(config, ({ store }) =>
    store.db.selectFrom('schema_migrations').select('name').orderBy('name').execute(),
  )
  process.stdout.write(
    `The store is up to date: ${names.length} migrations, the last is ${names.at(-1)?.name}\n`,
  )
  return 0
}
