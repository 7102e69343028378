import type { Caller } from '../../core/caller.ts'
import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import { Forbidden, NotFound, Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Account } from '../../host/accounts.ts'
import { deleteRow, insertRow, updateRow } from '../../store/rows.ts'
import type { Nginx, NginxSite } from '../../tools/nginx/index.ts'
import type { Users } from '../users/index.ts'
import type { SiteFolders } from './folders.ts'
import type { Website, WebsiteDraft } from './model.ts'
import { AliasUnknown, AlreadySo, DomainTaken, OwnerUnknown } from './problems.ts'
import type { WebsiteQueries, WebsiteRow } from './store.ts'
import { type Lock, lock } from '../../core/lock.ts'

/** A row with its aliases. */
export type Loaded = WebsiteRow & { readonly aliases: readonly string[] }

/** The time of a change, and if the site's file may be replaced although it was edited manually. */
export interface Editing {
  readonly now: Date
  readonly overwrite: boolean
}

interface CreateContext extends Editing {
  readonly caller: Caller
  readonly id: (table: string) => number
}

interface Parts {
  readonly queries: WebsiteQueries
  readonly users: Users
  readonly nginx: Nginx
  readonly folders: SiteFolders
}

/** The verbs of the area: changes of websites, planned but not yet executed. */
// oxlint-disable-next-line max-lines-per-function -- a table of short verbs
export function websiteVerbs({ queries, users, nginx, folders }: Parts) {
  const withAliases = async (row: WebsiteRow): Promise<Loaded> => ({
    ...row,
    aliases: (await queries.aliasesOf([row.id])).get(row.id) ?? [],
  })
  const edited = (
    site: Loaded,
    set: Partial<Pick<Loaded, 'aliases' | 'is_suspended'>>,
    { now, overwrite }: Editing,
  ) => {
    const next: Loaded = { ...site, ...set, updated_at: now.toISOString(), revision: site.revision + 1 }
    const { aliases: _aliases, id, domain: _domain, ...columns } = next
    return {
      next,
      row: updateRow('websites', { id, revision: site.revision }, columns),
      steps: [
        step(nginx.steps.writeSites, {
          sites: [{ domain: site.domain, content: nginx.renderSite(served(next)) }],
          overwrite,
        }),
      ],
    }
  }
  const setAliases = async (
    site: Loaded,
    aliases: readonly string[],
    editing: Editing,
  ): Promise<Change<Website>> => {
    await refuseTaken(queries, aliases, site.id)
    if (aliases.includes(site.domain))
      throw DomainTaken(`aliases: ${site.domain} is the domain of this website itself`)
    const { next, row, steps } = edited(site, { aliases }, editing)
    const rows = [row, deleteRow('website_aliases', { website_id: site.id }), ...aliasRows(site.id, aliases)]
    return change({
      summary: `Set the aliases of ${site.domain}`,
      locks: locksOf([site.domain, ...aliases]),
      steps,
      rows,
      reply: showWebsite(next),
    })
  }
  return {
    /** Returns the website with this id if the caller may see it, otherwise fails with 404. */
    load: async (id: number, caller: Caller): Promise<Loaded> => {
      const row = await queries.seenBy(caller, id)
      if (row === undefined) throw NotFound(`id: there is no website ${id}`)
      return withAliases(row)
    },
    withAliases,
    create: async (draft: WebsiteDraft, context: CreateContext): Promise<Change<Website>> => {
      const aliases = draft.aliases ?? []
      const { account, userId } = await ownerOf(users, draft.username, context.caller)
      await refuseTaken(queries, [draft.domain, ...aliases], undefined)
      if (aliases.includes(draft.domain)) throw DomainTaken(`aliases: ${draft.domain} is the domain itself`)
      const site = newSite(draft, { account, userId, id: context.id('websites'), now: context.now })
      const { aliases: _aliases, ...row } = site
      return change({
        summary: `Create website ${site.domain} for ${account.username}`,
        locks: locksOf([site.domain, ...aliases]),
        steps: createSteps(site, account, { nginx, folders, overwrite: context.overwrite }),
        rows: [insertRow('websites', row), ...aliasRows(site.id, aliases)],
        reply: showWebsite(site),
      })
    },
    setAliases,
    addAlias: (site: Loaded, name: string, editing: Editing): Promise<Change<Website>> =>
      setAliases(site, [...new Set([...site.aliases, name])].toSorted(), editing),
    removeAlias: async (site: Loaded, name: string, editing: Editing): Promise<Change<Website>> => {
      if (!site.aliases.includes(name)) throw AliasUnknown(`name: ${site.domain} has no alias ${name}`)
      return setAliases(
        site,
        site.aliases.filter((alias) => alias !== name),
        editing,
      )
    },
    setSuspended: async (
      site: Loaded,
      isSuspended: boolean,
      editing: Editing,
    ): Promise<Change<{ success: true }>> => {
      if ((site.is_suspended === 1) === isSuspended)
        throw AlreadySo(`${site.domain} ${isSuspended ? 'is suspended already' : 'is not suspended'}`)
      const { row, steps } = edited(site, { is_suspended: Number(isSuspended) }, editing)
      return change({
        summary: `${isSuspended ? 'Suspend' : 'Unsuspend'} ${site.domain}`,
        locks: locksOf([site.domain]),
        steps,
        rows: [row],
        reply: success,
      })
    },
    remove: async (
      site: Loaded,
      { files, overwrite }: { readonly files: 'keep' | 'remove'; readonly overwrite: boolean },
    ): Promise<Change<{ success: true }>> => {
      const steps = removeSteps(site, { nginx, folders, overwrite, files })
      const rows: RowWrite[] = [
        deleteRow('website_aliases', { website_id: site.id }),
        deleteRow('websites', { id: site.id }),
      ]
      return change({
        summary: `Delete website ${site.domain}${files === 'remove' ? ' and its files' : '; its files stay'}`,
        locks: locksOf([site.domain, ...site.aliases]),
        steps,
        rows,
        reply: success,
      })
    },
  }
}

/** Returns the nginx configuration of a website. */
export function served({ id, domain, aliases, type, root, is_suspended }: Loaded): NginxSite {
  return { id, domain, aliases, type, root, isSuspended: is_suspended === 1 }
}

function createSteps(
  site: Loaded,
  account: Account,
  { nginx, folders, overwrite }: Pick<Parts, 'nginx' | 'folders'> & { readonly overwrite: boolean },
): readonly Step[] {
  const { username, domain } = site
  return [
    step(folders.make, { username, domain, logs: logsPath(nginx, domain) }),
    step(nginx.steps.archiveLogs, { domain, archive: `before-${site.id}` }), // of a former site with this name
    step(nginx.steps.makeLogDirectories, { sites: [{ domain, gid: account.gid }] }),
    step(nginx.steps.writeSites, { sites: [{ domain, content: nginx.renderSite(served(site)) }], overwrite }),
  ]
}

function removeSteps(
  { id, username, domain }: Loaded,
  {
    nginx,
    folders,
    overwrite,
    files,
  }: Pick<Parts, 'nginx' | 'folders'> & { readonly overwrite: boolean; readonly files: 'keep' | 'remove' },
): readonly Step[] {
  return [
    step(nginx.steps.writeSites, { sites: [{ domain, content: null }], overwrite }),
    step(nginx.steps.archiveLogs, { domain, archive: String(id) }),
    step(folders.unlinkLogs, { username, domain, logs: logsPath(nginx, domain) }),
    ...(files === 'remove' ? [step(folders.remove, { username, domain })] : []),
  ]
}

const logsPath = ({ layout }: Nginx, domain: string): string => `${layout.logsDirectory}/${domain}`

interface NewSite {
  readonly account: Account
  readonly userId: number
  readonly id: number
  readonly now: Date
}

function newSite(draft: WebsiteDraft, { account, userId, id, now }: NewSite): Loaded {
  const at = now.toISOString()
  return {
    id,
    domain: draft.domain,
    aliases: draft.aliases ?? [],
    user_id: userId,
    username: account.username,
    type: draft.type,
    root: `${account.home}/sites/${draft.domain}/public`,
    is_suspended: 0,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
}

/**
 * The owner of a new website: the caller, or for a superuser any panel user who has an account (decision
 * 3.19).
 */
async function ownerOf(
  users: Users,
  username: string | undefined,
  caller: Caller,
): Promise<{ readonly account: Account; readonly userId: number }> {
  const name = username ?? caller.user.username
  if (name === null) throw OwnerUnknown('username: is required: your account has no Linux user')
  if (!caller.user.isAdmin && name !== caller.user.username)
    throw Forbidden('username: only a superuser may create a website for another user')
  const owner = await users.byUsername(name)
  if (owner === undefined) throw OwnerUnknown(`username: no hosting user named "${name}"`)
  const account = await users.accountOf(name)
  if (account === undefined)
    throw Unavailable(`username: the Linux account ${name} does not exist on this host`)
  return { account, userId: owner.id }
}

async function refuseTaken(
  queries: WebsiteQueries,
  names: readonly string[],
  exceptId: number | undefined,
): Promise<void> {
  const other = (await queries.taken(names)).find(({ website_id }) => website_id !== exceptId)
  if (other === undefined) return
  throw DomainTaken(
    `${other.name === names[0] && exceptId === undefined ? 'domain' : 'aliases'}: ${other.name} belongs to another website`,
  )
}

const aliasRows = (websiteId: number, names: readonly string[]): readonly RowWrite[] =>
  names.map((name) => insertRow('website_aliases', { name, website_id: websiteId }))

const hostNameLock = lock('host name', ' ')

/** Returns the locks of a change to a website with these host names. */
export const locksOf = (names: readonly string[]): readonly Lock[] => names.map((name) => hostNameLock(name))

/** Returns the reply of a website. */
export function showWebsite(site: Loaded): Website {
  return { ...site, aliases: [...site.aliases], is_suspended: site.is_suspended === 1 }
}
