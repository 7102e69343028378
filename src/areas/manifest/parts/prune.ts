import { deleteDatabase } from '../../databases/index.ts'
import { deleteZone, zoneName } from '../../authdns/index.ts'
import { deleteUser, listAllUsers, type UserRow } from '../../users/index.ts'
import { deleteWebsite, type LoadedWebsite } from '../../websites/index.ts'
import type { Manifests } from '../context.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'
import { ManifestInvalid } from '../problems.ts'
import { within } from '../within.ts'
import { servesZones } from './zones.ts'

/** Deletes the users, websites, databases and zones that are not in a section of the manifest; nothing of sections that it lacks. */
export async function pruneObjects(on: Manifests, applying: Applying): Promise<Part> {
  const part = new PartDraft()
  if (!applying.input.prune) return part
  const sites = await on.websites.queries.all()
  const users = await usersToPrune(on, sites, applying)
  const websites = websitesToPrune(sites, users, applying)
  const owners = new Set(users.map(({ id }) => id))
  const ending = [...websites, ...sites.filter(({ user_id }) => owners.has(user_id))]
  assertNoneIsUsed(users, ending, applying)
  await pruneZones(on, part, applying)
  await pruneDatabases(on, part, ending, applying)
  const databases = applying.input.manifest.databases === undefined ? 'keep' : 'remove'
  for (const site of websites) {
    const how = { files: 'keep', databases, overwrite: false } as const
    const change = await within('websites', () => deleteWebsite(on.websites, site, how))
    const object = `website ${site.domain}`
    part.add({ action: 'delete', object, path: null, details: ['its files stay'] }, change)
  }
  for (const user of users) {
    const ofUser = databases === 'remove' ? 'of-websites' : 'keep'
    const how = { user, files: 'keep', databases: ofUser, overwrite: false } as const
    const change = await within('users', () => deleteUser(on.users, how, applying))
    const object = `user ${user.email}`
    part.add({ action: 'delete', object, path: null, details: ['the home stays'] }, change)
  }
  return part
}

/** Never the caller, and no superuser: a manifest must not take the last access. */
async function usersToPrune(
  on: Manifests,
  sites: readonly LoadedWebsite[],
  { input: { manifest }, caller }: Applying,
): Promise<readonly UserRow[]> {
  if (manifest.users === undefined) return []
  const kept = new Set(manifest.users.map(({ email }) => email.toLowerCase()))
  const found = (await listAllUsers(on.users)).filter(
    ({ id, email, is_admin }) => !kept.has(email) && is_admin === 0 && id !== caller.user.id,
  )
  if (manifest.websites !== undefined) return found
  const owner = found.find(({ id }) => sites.some(({ user_id }) => user_id === id))
  if (owner !== undefined)
    throw ManifestInvalid(
      `users: ${owner.email} would be deleted with their websites: add the section websites, or the user`,
    )
  return found
}

const websitesToPrune = (
  sites: readonly LoadedWebsite[],
  users: readonly UserRow[],
  { input: { manifest } }: Applying,
): readonly LoadedWebsite[] => {
  if (manifest.websites === undefined) return []
  const kept = new Set(manifest.websites.map(({ domain }) => domain))
  const withUsers = new Set(users.map(({ id }) => id)) // these go with their owners
  return sites.filter(({ domain, user_id }) => !kept.has(domain) && !withUsers.has(user_id))
}

/** What stays must not belong to what goes. */
function assertNoneIsUsed(
  users: readonly UserRow[],
  ending: readonly LoadedWebsite[],
  { input: { manifest } }: Applying,
): void {
  for (const [index, { username }] of (manifest.websites ?? []).entries())
    if (users.some((user) => user.username === username))
      throw ManifestInvalid(`websites[${index}].username: ${username} is not among the users of the manifest`)
  for (const [index, { website }] of (manifest.databases ?? []).entries())
    if (ending.some(({ domain }) => domain === website))
      throw ManifestInvalid(`databases[${index}].website: ${website} is not among its websites`)
}

/** Databases of websites that are deleted go with them. */
async function pruneDatabases(
  on: Manifests,
  part: PartDraft,
  ending: readonly LoadedWebsite[],
  { input: { manifest } }: Applying,
): Promise<void> {
  if (manifest.databases === undefined) return
  const kept = new Set(manifest.databases.map(({ name }) => name))
  const ends = new Set(ending.map(({ id }) => id))
  for (const row of await on.databases.queries.all()) {
    if (kept.has(row.name) || row.website_id === null || ends.has(row.website_id)) continue
    const change = await within('databases', () => deleteDatabase(on.databases, row))
    part.add({ action: 'delete', object: `database ${row.name}`, path: null, details: [] }, change)
  }
}

async function pruneZones(on: Manifests, part: PartDraft, { input: { manifest } }: Applying): Promise<void> {
  if (manifest.zones === undefined || !(await servesZones(on))) return
  const kept = new Set(manifest.zones.map(({ name }) => zoneName(name)))
  for (const { name } of await on.authdns.tool.listZones()) {
    if (kept.has(name)) continue
    const change = await within('zones', () => deleteZone(on.authdns, name, false))
    part.add({ action: 'delete', object: `zone ${name}`, path: null, details: [] }, change)
  }
}
