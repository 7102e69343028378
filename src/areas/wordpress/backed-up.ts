import type { Backups } from '../sitebackups/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import { DatabaseApart } from './problems.ts'

/** Refuses a WordPress whose database is not in the backups of its website: its files alone would go back. */
export async function assertBackedUp(
  { databases: { queries } }: Pick<Backups, 'databases'>,
  { id, domain }: Pick<LoadedWebsite, 'id' | 'domain'>,
  name: string,
): Promise<void> {
  const found = await queries.named(name)
  if (found?.website_id === id && found.engine === 'mariadb') return
  throw DatabaseApart(
    `wp-config.php of ${domain} names the database ${name}, which is not one of the website: associate it first, so that the backup has it`,
  )
}
