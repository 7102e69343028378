import { type Change, change, type RowWrite, step, type Step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Forbidden } from '../../core/problem.ts'
import { webServerLock } from '../webserver/index.ts'
import { accessLockOf } from './access.ts'
import type { Websites } from './context.ts'
import type { Website, WebsiteEdit } from './model.ts'
import { withinLimits } from './owner-limits.ts'
import { movedParts } from './parts.ts'
import { poolSteps } from './php-site.ts'
import { refuseBelowAnother } from './names-below.ts'
import { SettingInvalid } from './problems.ts'
import {
  type EditRequest,
  type Loaded,
  locksOf,
  refuseTaken,
  removing,
  settingsRow,
  showWebsite,
  siteFile,
} from './site.ts'
import { websiteAliases, websites, websiteSettings } from './store.ts'
import { logSteps, ownerOf } from './create.ts'

/** True if an edit gives a website another domain or owner. */
export const isMove = ({ domain, username }: WebsiteEdit, site: Loaded): boolean =>
  (domain !== undefined && domain !== site.domain) || (username !== undefined && username !== site.username)

/** Gives a website another domain, another owner or both, with its files, logs and what other areas have of it. */
export async function moveWebsite(
  on: Websites,
  site: Loaded,
  edit: WebsiteEdit,
  request: Deciding & EditRequest,
): Promise<Change<Website>> {
  const { domain = site.domain, username = site.username, ...others } = edit
  const further = Object.keys(others)[0]
  if (further !== undefined)
    throw SettingInvalid(`${further}: change the domain and the owner without other fields`)
  const { user } = request.caller
  if (username !== site.username && !user.isAdmin)
    throw Forbidden('username: only a superuser may give a website another owner')
  const { account, userId } = await ownerOf(on.users, username, request.caller)
  if (domain !== site.domain) {
    await refuseTaken(on, [domain], site.id)
    await refuseBelowAnother(on, [domain], { field: 'domain', caller: request.caller })
  }
  const counted = username === site.username ? [] : await withinLimits(on, userId)
  const held = [accessLockOf(userId, domain), webServerLock(site.id), ...counted]
  const place = {
    domain,
    username,
    user_id: userId,
    root: `${account.home}/sites/${domain}/public`,
    updated_at: request.now.toISOString(),
  }
  const names = namesAfter(site, domain)
  const named = { ...names, hasAccessRules: await on.queries.hasAccessRules(userId) }
  const moved: Loaded = { ...site, ...websites.changed(site, place), ...named }
  const parts = await movedParts(on, site, moved)
  const dropped = parts.dropsCertificate ? { certificate: null, https_redirect: false, hsts: false } : {}
  const next: Loaded = { ...moved, ...websites.changed(site, { ...place, ...dropped }), ...named }
  return change({
    summary: summaryOf(site, next),
    locks: [...held, ...locksOf([site.domain, ...site.aliases, domain])],
    steps: [
      ...folderSteps(on, site, next),
      ...(await movedLogs(on, { site, next, gid: account.gid })),
      ...parts.steps,
      ...(await servedElsewhere(on, { site, next, overwrite: request.query.overwrite })),
      ...leftBehind(on, site, next),
    ],
    details: parts.details,
    rows: [...parts.rows, ...namesRows(site, next), websites.update(site, { ...place, ...dropped })],
    reply: showWebsite(next),
  })
}

/** The names below the former domain were shared, not those below another one. */
const namesAfter = (site: Loaded, domain: string): Pick<Loaded, 'aliases' | 'settings'> => ({
  aliases: site.aliases.filter((name) => name !== domain),
  settings: domain === site.domain ? site.settings : { ...site.settings, shared_subdomains: false },
})

const namesRows = (site: Loaded, next: Loaded): readonly RowWrite[] => [
  ...(next.aliases.length === site.aliases.length ? [] : [websiteAliases.delete({ name: next.domain })]),
  ...(next.settings.shared_subdomains === site.settings.shared_subdomains
    ? []
    : [websiteSettings.delete({ website_id: site.id }), settingsRow(next)]),
]

function summaryOf(site: Loaded, next: Loaded): string {
  const renamed = site.domain === next.domain ? '' : ` to ${next.domain}`
  if (site.username === next.username) return `Rename ${site.domain}${renamed}`
  return `Give ${site.domain} to ${next.username}${renamed && `, as ${next.domain}`}`
}

function folderSteps({ folders, nginx }: Websites, site: Loaded, next: Loaded): readonly Step[] {
  const place = step(site.username === next.username ? folders.move : folders.copy, {
    from: { username: site.username, domain: site.domain },
    to: { username: next.username, domain: next.domain },
    id: site.id,
  })
  const { username, domain } = next
  return [place, step(folders.make, { username, domain, logs: nginx.logDirectory(domain) })]
}

interface Moving {
  readonly site: Loaded
  readonly next: Loaded
}

/** Another owner never sees the former logs, and the former owner none of the later ones. */
async function movedLogs(on: Websites, { site, next, gid }: Moving & { readonly gid: number }) {
  const { nginx } = on
  const former = { domain: site.domain, archive: `moved-${site.id}-${site.revision}` }
  if (site.username !== next.username)
    return [
      step(nginx.steps.archiveLogs, former),
      ...(site.domain === next.domain
        ? [step(nginx.steps.makeLogDirectories, { sites: [{ domain: next.domain, gid }] })]
        : await logSteps(on, next, gid)),
    ]
  const [archived, made] = splitLast(await logSteps(on, next, gid))
  return [...archived, step(nginx.steps.moveLogs, { from: site.domain, to: next.domain }), ...made]
}

const splitLast = (steps: readonly Step[]): readonly [readonly Step[], readonly Step[]] => [
  steps.slice(0, -1),
  steps.slice(-1),
]

async function servedElsewhere(
  on: Websites,
  { site, next, overwrite }: Moving & { readonly overwrite: boolean },
): Promise<readonly Step[]> {
  const pool = await poolSteps(on, site, next)
  const server = await on.serving()
  const isRenamed = site.domain !== next.domain
  return [
    ...pool.first,
    step(server.steps.writeSites, {
      sites: [...(isRenamed ? [{ domain: site.domain, content: null }] : []), siteFile(on, server, next)],
      overwrite,
    }),
    ...pool.last,
  ]
}

function leftBehind({ folders, nginx }: Websites, site: Loaded, next: Loaded): readonly Step[] {
  const { username, domain } = site
  return [
    step(folders.unlinkLogs, { username, domain, logs: nginx.logDirectory(domain) }),
    ...(next.certificate === null ? removing(nginx, site.certificate) : []),
    ...(username === next.username ? [] : [step(folders.remove, { username, domain })]),
  ]
}
