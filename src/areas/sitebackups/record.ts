import { readCrontabText } from '../crontab/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Backups } from './context.ts'
import type { RecordedDatabase, SiteRecord } from './site-record.ts'

/** Returns the record of a website as it is now. */
export async function recordOf(on: Backups, site: LoadedWebsite): Promise<SiteRecord> {
  return {
    type: site.type,
    aliases: [...site.aliases],
    https_redirect: site.https_redirect === 1,
    hsts: site.hsts === 1,
    settings: site.settings,
    protected_folders: site.protectedFolders.map(({ folder, users: own }) => ({ folder, users: [...own] })),
    crontab: await readCrontabText(on.crontabs, site.id),
    certificate: await certificateOf(on, site),
    databases: await databasesOf(on, site.id),
  }
}

async function certificateOf({ nginx, files }: Backups, { certificate: file }: LoadedWebsite) {
  const pem = file === null ? undefined : await files.read(nginx.certificatePath(file))
  return file === null || pem === undefined ? null : { file, pem }
}

async function databasesOf({ databases: { queries, mariadb } }: Backups, websiteId: number) {
  const all = await queries.ofWebsite(websiteId)
  const rows = all.filter(({ engine }) => engine === 'mariadb') // what a point restores is of this server
  if (rows.length === 0) return []
  const found = await mariadb.findDatabases(rows.map(({ name }) => name))
  const accounts = await queries.accountsOf(rows.map(({ id }) => id))
  const recorded: RecordedDatabase[] = []
  for (const { id, name } of rows) {
    const present = found.get(name)
    if (present === undefined) continue
    const own = accounts.filter(({ database_id }) => database_id === id)
    const hashed = await Promise.all(
      own.map(async ({ username, host }) => ({
        ...{ username, host },
        hash: (await mariadb.readPasswordHash({ username, host })) ?? null,
      })),
    )
    recorded.push({ name, charset: present.charset, collation: present.collation, accounts: hashed })
  }
  return recorded
}
