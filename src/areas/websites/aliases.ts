import type { Caller } from '../../core/caller.ts'
import { type Change, change, type RowWrite } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { Websites } from './context.ts'
import type { Website } from './model.ts'
import { refuseBelowAnother } from './names-below.ts'
import { AliasUnknown, DomainTaken } from './problems.ts'
import { editedSite, type EditRequest, type Loaded, locksOf, refuseTaken, showWebsite } from './site.ts'
import { websiteAliases } from './store.ts'

/** Replaces the aliases of a website. */
export async function setAliases(
  on: Websites,
  site: Loaded,
  aliases: readonly string[],
  request: AliasRequest,
): Promise<Change<Website>> {
  await assertFree(on, site, aliases, request.caller)
  const { next, row, steps } = await editedSite(on, site, { aliases }, request)
  return change({
    summary: `Set the aliases of ${site.domain}`,
    locks: locksOf([site.domain, ...aliases]),
    steps,
    rows: [row, websiteAliases.delete({ website_id: site.id }), ...aliasRows(site.id, aliases)],
    reply: showWebsite(next),
  })
}

type AliasRequest = EditRequest & Pick<Deciding, 'caller'>

/** Fails unless a website may have these aliases; those that it has already stay. */
export async function assertFree(
  on: Websites,
  site: Loaded,
  aliases: readonly string[],
  caller: Caller,
): Promise<void> {
  await refuseTaken(on, aliases, site.id)
  const added = aliases.filter((name) => !site.aliases.includes(name))
  await refuseBelowAnother(on, added, { field: 'aliases', caller })
  if (aliases.includes(site.domain))
    throw DomainTaken(`aliases: ${site.domain} is the domain of this website itself`)
}

/** Adds an alias; one that the website already has is kept. */
export function addAlias(
  on: Websites,
  site: Loaded,
  name: string,
  request: AliasRequest,
): Promise<Change<Website>> {
  return setAliases(on, site, [...new Set([...site.aliases, name])].toSorted(), request)
}

/** Removes an alias; 404 if the website does not have it. */
export async function removeAlias(
  on: Websites,
  site: Loaded,
  name: string,
  request: AliasRequest,
): Promise<Change<Website>> {
  if (!site.aliases.includes(name)) throw AliasUnknown(`name: ${site.domain} has no alias ${name}`)
  const others = site.aliases.filter((alias) => alias !== name)
  return setAliases(on, site, others, request)
}

/** Returns the rows of a website's aliases. */
export const aliasRows = (websiteId: number, names: readonly string[]): readonly RowWrite[] =>
  names.map((name) => websiteAliases.insert({ name, website_id: websiteId }))
