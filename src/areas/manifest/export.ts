import { isSame } from '../../core/steps.ts'
import { declaredRules } from '../firewall/index.ts'
import { listAllUsers } from '../users/index.ts'
import { defaultSettings, type LoadedWebsite } from '../websites/index.ts'
import type { Manifests } from './context.ts'
import type {
  Manifest,
  ManifestDatabase,
  ManifestUser,
  ManifestWebsite,
  ManifestZone,
} from './manifest-model.ts'
import { maxManifestBytes, maxObjects } from './model.ts'
import { declarable, servesZones } from './parts/zones.ts'
import { ManifestTooLarge } from './problems.ts'
import { writeText } from './text.ts'

/** Writes the manifest of this host: a plan of it has nothing to do. */
export async function exportManifest(on: Manifests, format: 'yaml' | 'json'): Promise<{ text: string }> {
  const sites = await on.websites.queries.all()
  const manifest: Manifest = {
    version: 1,
    users: await usersOf(on),
    websites: sites.map(websiteOf),
    databases: await databasesOf(on, sites),
    ...((await servesZones(on)) && { zones: await zonesOf(on) }),
    firewall_rules: [...(await declaredRules(on.firewall))].map(({ ports, ...rule }) => ({
      ...rule,
      ...(ports !== undefined && { ports: ports.map((port) => (/^\d+$/.test(port) ? Number(port) : port)) }),
    })),
  }
  const { version: _, ...sections } = manifest
  const count = Object.values(sections).reduce((sum, section) => sum + section.length, 0)
  if (count > maxObjects)
    throw ManifestTooLarge(`This host has ${count} objects; a manifest has at most ${maxObjects}`)
  const text = await writeText(manifest, format)
  if (Buffer.byteLength(text) > maxManifestBytes)
    throw ManifestTooLarge('The manifest of this host is larger than 1 MiB')
  return { text }
}

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

/** Settings that a new website has anyway are left out. */
function websiteOf(site: LoadedWebsite): ManifestWebsite {
  const { domain, username, type, aliases, is_suspended, https_redirect, hsts } = site
  const { upstream_address: _, ...settings } = site.settings
  const own = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => !isSame(value, Reflect.get(defaultSettings, name))),
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
async function databasesOf(
  { databases: { queries } }: Manifests,
  sites: readonly LoadedWebsite[],
): Promise<ManifestDatabase[]> {
  const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
  const rows = (await queries.all()).flatMap((row) => {
    const website = row.website_id === null ? undefined : domains.get(row.website_id)
    return website === undefined ? [] : [{ ...row, website }]
  })
  const accounts = Map.groupBy(await queries.accountsOf(rows.map(({ id }) => id)), (each) => each.database_id)
  return rows.flatMap(({ id, name, engine, website }) => {
    const users = (accounts.get(id) ?? []).map(({ username, host }) => ({ username, host }))
    return users.length === 0 ? [] : [{ name, website, engine, users }]
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
    zones.push({ name, rrsets })
  }
  return zones
}
