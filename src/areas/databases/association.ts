import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { NotFound, Problem } from '../../core/problem.ts'
import { type LoadedWebsite, websiteLocks } from '../websites/index.ts'
import type { Databases } from './context.ts'
import type { Engine, FoundDatabase } from './engines/engine.ts'
import { engineOf } from './engines/index.ts'
import type { Database, EngineName, NameCheck, UnassociatedDatabases } from './model.ts'
import { assertInstalled, assertNameFree, databaseLock, fullName } from './names.ts'
import { AlreadyAssociated, NameInvalid } from './problems.ts'
import { showDatabase } from './show.ts'
import { databases } from './store.ts'

interface Named {
  readonly engine: EngineName
  readonly name: string
}

/** Tells whether a name is free for a database of a website. */
export async function checkName(
  on: Databases,
  site: LoadedWebsite,
  { engine: of, name }: Named,
): Promise<NameCheck> {
  const engine = engineOf(on, { engine: of })
  await assertInstalled(engine)
  const full = `${site.username}_${name}`
  try {
    fullName(engine, 'name', { owner: site.username, name })
    await assertNameFree(on, engine, full)
    return { name: full, available: true, reason: null }
  } catch (error) {
    if (!(error instanceof Problem) || error.kind.status >= 500) throw error
    return { name: full, available: false, reason: error.message }
  }
}

/** Lists the databases of a server that are of no website: those that others made, and those whose website was deleted. */
export async function listUnassociated(on: Databases, of: EngineName): Promise<UnassociatedDatabases> {
  const engine = engineOf(on, { engine: of })
  await assertInstalled(engine)
  const rows = new Map((await on.queries.ofEngine(of)).map((row) => [row.name, row]))
  const found = (await engine.listDatabases?.()) ?? []
  return {
    databases: found
      .filter(({ name }) => (rows.get(name)?.website_id ?? null) === null)
      .map(({ name, owner, sizeBytes }) => ({
        ...{ name, owner, id: rows.get(name)?.id ?? null, size_bytes: sizeBytes },
        can_be_associated: isUsable(engine, name),
      })),
  }
}

/** Finds a database that is none of the server itself: whose website has one may delete it. */
async function findForeign(engine: Engine, name: string): Promise<FoundDatabase | undefined> {
  const listed = (await engine.listDatabases?.()) ?? []
  return listed.some((each) => each.name === name)
    ? (await engine.findDatabases([name])).get(name)
    : undefined
}

const isUsable = ({ longest }: Engine, name: string): boolean =>
  /^[a-z0-9_-]+$/.test(name) && name.length <= longest.name

/** Files a database that is on the server under a website. One that others made is first given to a role of its own. */
export async function associateDatabase(
  on: Databases,
  site: LoadedWebsite,
  { engine: of, name, now, id: draw }: Named & Pick<Deciding, 'now' | 'id'>,
): Promise<Change<Database>> {
  const engine = engineOf(on, { engine: of })
  await assertInstalled(engine)
  const known = await on.queries.named(name)
  if (known !== undefined && (known.website_id !== null || known.engine !== of))
    throw AlreadyAssociated(`name: ${name} is filed as a database of a website or of another server`)
  if (!isUsable(engine, name))
    throw NameInvalid(`name: ${name} must have at most ${engine.longest.name} characters`)
  const found = await findForeign(engine, name)
  if (found === undefined) throw NotFound(`name: the server has no database ${name} besides its own`)
  const at = now.toISOString()
  const owners = { user_id: site.user_id, website_id: site.id }
  const row =
    known === undefined
      ? databases.row({
          id: draw(databases.name),
          engine: of,
          name,
          ...owners,
          created_at: at,
          updated_at: at,
        })
      : { ...known, ...owners }
  const accounts = await on.queries.accountsOf([row.id])
  return change({
    summary: `File the database ${name} under ${site.domain}`,
    locks: [...websiteLocks([site.domain]), databaseLock(name)],
    steps: known === undefined ? (engine.adoptDatabase?.({ name }) ?? []) : [],
    rows: [
      known === undefined
        ? databases.insert(row)
        : databases.updateWhere({ id: known.id }, { user_id: site.user_id, website_id: site.id }),
    ],
    reply: showDatabase(row, { domain: site.domain, accounts, found }),
  })
}
