import {
  addDatabaseUser,
  createDatabase,
  type DatabaseRow,
  type Databases,
  type EngineName,
  removeDatabaseUser,
} from '../../databases/index.ts'
import type { LoadedWebsite } from '../../websites/index.ts'
import type { Change } from '../../../core/change.ts'
import type { Manifests } from '../context.ts'
import type { ManifestDatabase } from '../manifest-model.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'
import { ManifestInvalid } from '../problems.ts'
import { within } from '../within.ts'

/** Decides on the databases of a manifest and their users. */
export async function decideDatabases(on: Manifests, applying: Applying): Promise<Part> {
  const part = new PartDraft()
  const wanted = applying.input.manifest.databases ?? []
  if (wanted.length === 0) return part
  const sites = new Map((await on.websites.queries.all()).map((site) => [site.domain, site]))
  for (const [index, database] of wanted.entries())
    await within(`databases[${index}]`, async () => {
      const site = applying.planned.sites.get(database.website) ?? sites.get(database.website)
      if (site === undefined)
        throw ManifestInvalid(
          `website: there is no website ${database.website}, neither in the manifest nor on this host`,
        )
      const row = await on.databases.queries.named(database.name)
      const of = { database, site, index }
      if (row === undefined) await create(part, of, applying)
      else await change(part, { ...of, row }, applying)
    })
  return part
}

interface Wanted {
  readonly database: ManifestDatabase
  readonly site: LoadedWebsite
  readonly index: number
}

type Account = ManifestDatabase['users'][number]

/** The areas put the account of the owner before each name themselves. */
function shortName(name: string, owner: string, field: string): string {
  const prefix = `${owner}_`
  if (!name.startsWith(prefix) || name === prefix)
    throw ManifestInvalid(`${field}: ${name} must begin with ${prefix}, the account of the website's owner`)
  return name.slice(prefix.length)
}

async function create(part: PartDraft, { database, site, index }: Wanted, applying: Applying) {
  const { planned, input, passwords, now } = applying
  const { name, engine = 'mariadb', users } = database
  const id = input.ids.databases[index]!
  const hostOf = hostsOn(planned.databases, engine)
  await assertDistinct(users, hostOf)
  const first = users.findIndex(({ host }) => hostOf(host) === 'localhost')
  if (first === -1) throw ManifestInvalid('users: one user of a new database connects from localhost')
  const { username } = users[first]!
  const path = `databases[${index}]`
  const created = await createDatabase(
    planned.databases,
    site,
    {
      engine,
      name: shortName(name, site.username, 'name'),
      username: shortName(username, site.username, `users[${first}].username`),
      password: passwords.take(`${path}.users[${first}].password`, `user ${username} of ${name}`),
    },
    { now, id: () => id },
  )
  const added: Change[] = []
  const row = { id, name, engine, user_id: site.user_id }
  for (const [of, account] of users.entries())
    if (of !== first) added.push(await add(row, { account, of, site, path }, applying))
  const details = [
    `of ${site.domain}, on ${engine}`,
    `users ${users.map((each) => each.username).join(', ')}`,
  ]
  part.add({ action: 'create', object: `database ${name}`, path, details }, created, ...added)
}

/** The hosts of users, as an engine keeps them. */
const hostsOn =
  ({ engines }: Databases, engine: EngineName) =>
  (host: string): string =>
    engines[engine]?.accountHost(host) ?? host

/** Hosts that differ as they are written may be one to the engine, such as LOCALHOST and localhost. */
async function assertDistinct(users: readonly Account[], hostOf: (host: string) => string): Promise<void> {
  const seen = new Set<string>()
  for (const [of, { username, host }] of users.entries()) {
    const key = `${username} at ${await within(`users[${of}]`, async () => hostOf(host))}`
    if (seen.has(key)) throw ManifestInvalid(`users[${of}].username: ${key} is there twice`)
    seen.add(key)
  }
}

interface Adding {
  readonly account: Account
  /** Its index among the users of the database. */
  readonly of: number
  readonly site: LoadedWebsite
  readonly path: string
}

function add(
  row: Parameters<typeof addDatabaseUser>[1],
  { account: { username, host }, of, site, path }: Adding,
  { planned, passwords }: Applying,
): Promise<Change> {
  const password = passwords.take(`${path}.users[${of}].password`, `user ${username} of ${row.name}`)
  return within(`users[${of}]`, async () =>
    addDatabaseUser(planned.databases, row, {
      username: shortName(username, site.username, 'username'),
      password,
      host,
    }),
  )
}

async function change(
  part: PartDraft,
  { database, site, index, row }: Wanted & { readonly row: DatabaseRow },
  applying: Applying,
) {
  const { planned, input } = applying
  const { name, engine = row.engine, users } = database
  if (row.website_id !== site.id)
    throw ManifestInvalid(`website: ${name} is a database of another website than ${site.domain}`)
  if (row.engine !== engine)
    throw ManifestInvalid(`engine: ${name} is on ${row.engine}, which does not change`)
  const on = planned.databases
  const hostOf = hostsOn(on, engine)
  await assertDistinct(users, hostOf)
  const present = await on.queries.accountsOf([row.id])
  const path = `databases[${index}]`
  const changes: Change[] = []
  const details: string[] = []
  for (const [of, account] of users.entries()) {
    const host = await within(`users[${of}]`, async () => hostOf(account.host))
    if (present.some((each) => each.username === account.username && each.host === host)) continue
    changes.push(await add(row, { account, of, site, path }, applying))
    details.push(`new user ${account.username} at ${host}`)
  }
  if (details.length > 0)
    part.add({ action: 'change', object: `database ${name}`, path, details }, ...changes)
  if (!input.prune) return
  for (const { username, host } of present) {
    if (users.some((each) => each.username === username && hostOf(each.host) === host)) continue
    part.add(
      { action: 'delete', object: `user ${username} at ${host} of ${name}`, path: null, details: [] },
      await removeDatabaseUser(on, row, username, host),
    )
  }
}
