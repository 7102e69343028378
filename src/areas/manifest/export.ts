import { isSame } from '../../core/steps.ts'
import { declaredRules } from '../firewall/index.ts'
import { listAllUsers } from '../users/index.ts'
import { defaultSettings, type LoadedWebsite, settingsEdit } from '../websites/index.ts'
import type { Manifests } from './context.ts'
import type {
  ManifestDatabase,
  ManifestRule,
  ManifestUser,
  ManifestWebsite,
  ManifestZone,
} from './manifest-model.ts'
import {
  allSections,
  type ManifestExport,
  type ManifestSection,
  maxManifestBytes,
  maxObjects,
} from './model.ts'
import { declarable, servesZones } from './parts/zones.ts'
import { ManifestTooLarge } from './problems.ts'
import { writeText } from './text.ts'

/** Writes the manifest of this host, or one of its sections: a plan of it has nothing to do. */
export async function exportManifest(
  on: Manifests,
  { format, section }: ManifestExport,
): Promise<{ text: string }> {
  const read = readers(on)
  const manifest: Record<string, unknown> = { version: 1 }
  let count = 0
  for (const name of section === undefined ? allSections : [section]) {
    const objects = await read[name]()
    count += objects?.length ?? 0
    if (objects !== undefined) manifest[name] = objects
  }
  const what = section ?? 'This host'
  const rest = section === undefined ? ': name one section after the other' : ''
  if (count > maxObjects)
    throw ManifestTooLarge(`section: ${what} has ${count} objects, more than ${maxObjects}${rest}`)
  const text = await writeText(manifest, format)
  if (Buffer.byteLength(text) > maxManifestBytes)
    throw ManifestTooLarge(`section: ${what} has more than 1 MiB${rest}`)
  return { text }
}

/** A section is undefined where the host cannot have it. */
const readers = (on: Manifests): Record<ManifestSection, () => Promise<readonly unknown[] | undefined>> => ({
  users: () => usersOf(on),
  websites: async () => (await on.websites.queries.all()).map(websiteOf),
  databases: () => databasesOf(on),
  zones: async () => ((await servesZones(on)) ? zonesOf(on) : undefined),
  firewall_rules: () => rulesOf(on),
})

const rulesOf = async (on: Manifests): Promise<ManifestRule[]> =>
  (await declaredRules(on.firewall)).map(({ ports, ...rule }) => ({
    ...rule,
    ...(ports !== undefined && { ports: ports.map((port) => (/^\d+$/.test(port) ? Number(port) : port)) }),
  }))

async function usersOf({ users }: Manifests): Promise<ManifestUser[]> {
  const all = await listAllUsers(users)
  return Promise.all(
    all.map(async ({ id, email, fullname, username, is_admin, is_suspended }) => ({
      email,
      fullname,
      ...(username !== null && { username }),
      ...(is_admin === 1 && { is_admin: true }),
      ...(is_suspended === 1 && { is_suspended: true }),
      permissions: [...(await users.queries.permissionsOf(id))],
    })),
  )
}

/** Settings that a new website has anyway are left out, and so is what other areas set, such as the page cache. */
function websiteOf(site: LoadedWebsite): ManifestWebsite {
  const { domain, username, type, aliases, is_suspended, https_redirect, hsts } = site
  const own = Object.fromEntries(
    Object.entries(site.settings).filter(
      ([name, value]) =>
        Object.hasOwn(settingsEdit, name) && !isSame(value, Reflect.get(defaultSettings, name)),
    ),
  )
  return {
    ...{ domain, username, type },
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    ...(is_suspended === 1 && { is_suspended: true }),
    ...(https_redirect === 1 && { https_redirect: true }),
    ...(hsts === 1 && { hsts: true }),
    ...own,
  }
}

/** Databases whose website was deleted belong to nobody that a manifest could name. */
async function databasesOf({ databases: { queries }, websites }: Manifests): Promise<ManifestDatabase[]> {
  const domains = new Map((await websites.queries.all()).map(({ id, domain }) => [id, domain]))
  const rows = (await queries.all()).flatMap((row) => {
    const website = row.website_id === null ? undefined : domains.get(row.website_id)
    return website === undefined ? [] : [{ ...row, website }]
  })
  const accounts = Map.groupBy(await queries.accountsOf(rows.map(({ id }) => id)), (each) => each.database_id)
  return rows.map(({ id, name, engine, website }) => {
    const users = (accounts.get(id) ?? []).map(({ username, host }) => ({ username, host }))
    return { name, website, engine, users }
  })
}

async function zonesOf({ authdns: { tool } }: Manifests): Promise<ManifestZone[]> {
  const zones: ManifestZone[] = []
  for (const { name } of await tool.listZones()) {
    const zone = await tool.readZone(name)
    if (zone === undefined) continue // it was deleted meanwhile
    if (zone.kind === 'Slave') {
      zones.push({ name, kind: 'Slave', masters: [...zone.masters] })
      continue
    }
    const rrsets = declarable(zone).map((set) => ({
      ...{ name: set.name, type: set.type, ttl: set.ttl },
      records: set.records.map(({ content, disabled }) => ({ content, ...(disabled && { disabled }) })),
    }))
    zones.push({ name, ...(zone.kind === 'Master' && { kind: 'Master' }), rrsets })
  }
  return zones
}
