import { existsInHome, type LoadedWebsite, readHomeFile } from '../websites/index.ts'
import type { Staging } from './context.ts'
import { ConfigUnreadable } from './problems.ts'
import { configPath, includesOthers, namesConstant, readConstant, readPrefix } from './wordpress.ts'

type DatabaseRow = NonNullable<Awaited<ReturnType<Staging['databases']['queries']['named']>>>

/** Returns the database of WordPress in a website; undefined if the document root has no WordPress. */
export async function wordpressDatabase(
  on: Staging,
  { username, user_id, domain }: LoadedWebsite,
): Promise<DatabaseRow | undefined> {
  const owner = await on.ownerOf(username)
  const config = await readHomeFile(owner, `sites/${domain}/${configPath}`)
  if (config === undefined) {
    // WordPress also takes one from the folder above, which would lead the copy to the database of its origin
    if (await existsInHome(owner, `sites/${domain}/public/wp-load.php`))
      throw ConfigUnreadable(
        `${domain} has WordPress without a wp-config.php in the document root: move it there`,
      )
    return undefined
  }
  assertPlain(config.text, domain)
  const name = readConstant(config.text, 'DB_NAME')
  if (name === undefined)
    throw ConfigUnreadable(`wp-config.php of ${domain} does not define DB_NAME as plain text`)
  const found = await on.databases.queries.named(name)
  // another tenant's database is not found either
  if (found === undefined || found.user_id !== user_id || found.engine !== 'mariadb')
    throw ConfigUnreadable(
      `wp-config.php of ${domain} names the database ${name}, which is none of its owner on the MariaDB of this panel`,
    )
  return found
}

const isLocal = /^(?:localhost|127\.0\.0\.1|\[?::1\]?)?(?::|$)/

/** Refuses what a copy could not have for itself. */
function assertPlain(config: string, domain: string): void {
  if (includesOthers(config))
    throw ConfigUnreadable(
      `wp-config.php of ${domain} includes other files than wp-settings.php, which may name another database`,
    )
  if (namesConstant(config, 'MULTISITE'))
    throw ConfigUnreadable(`${domain} is a network of WordPress, whose names cannot be replaced`)
  const host = readConstant(config, 'DB_HOST') ?? 'localhost'
  if (!isLocal.test(host))
    throw ConfigUnreadable(
      `wp-config.php of ${domain} names the database server ${host}, which is not that of this host`,
    )
}

/** Refuses tables that the other WordPress would not find: it would offer its installation to anybody. */
export async function assertSamePrefix(on: Staging, copy: LoadedWebsite, live: LoadedWebsite): Promise<void> {
  const [ofCopy, ofLive] = [await prefixOf(on, copy), await prefixOf(on, live)]
  if (ofCopy !== ofLive)
    throw ConfigUnreadable(
      `parts: tables of ${copy.domain} begin with ${ofCopy}, and those of ${live.domain} with ${ofLive}: set the same $table_prefix in both, or push files alone`,
    )
}

async function prefixOf(on: Staging, { username, domain }: LoadedWebsite): Promise<string> {
  const config = await readHomeFile(await on.ownerOf(username), `sites/${domain}/${configPath}`)
  const prefix = config && readPrefix(config.text)
  if (prefix === undefined)
    throw ConfigUnreadable(`wp-config.php of ${domain} does not set $table_prefix once, as plain text`)
  return prefix
}

interface Named extends Pick<LoadedWebsite, 'domain' | 'aliases' | 'certificate' | 'root'> {}

/** Returns what addresses of one website become those of another one. */
export const addressesOf = (from: Named, to: Named) => ({
  names: [from.domain, ...from.aliases.filter((name) => !name.startsWith('*.'))],
  to: to.domain,
  scheme: to.certificate === null ? ('http' as const) : ('https' as const),
})

/** Returns what paths of one website become those of another one. */
export const foldersOf = (from: Named, to: Named) => ({
  paths: [from.root.replace(/public$/, '')],
  folder: to.root.replace(/public$/, ''),
})
