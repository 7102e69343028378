import { randomBytes } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import { change, type Step, step } from '../../core/change.ts'
import { Forbidden } from '../../core/problem.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import { copiedDatabase } from '../databases/index.ts'
import {
  createdSite,
  loadWebsite,
  type LoadedWebsite,
  websiteLocks,
  type Websites,
  newRow,
  ownerFor,
  phpVersionLock,
  SettingInvalid,
} from '../websites/index.ts'
import { addressesOf, foldersOf, wordpressDatabase } from './application.ts'
import { type Staging, work } from './context.ts'
import { StagingCopy, type StagingDraft, StagingInput } from './model.ts'
import { NotStageable, StagingAlready } from './problems.ts'
import { stagingCopies } from './store.ts'

const drawn = () => randomBytes(18).toString('base64url')

/** Returns the input of a copy: its ids and secrets are drawn once for each request. */
export const drawCopy = (
  { id: origin_id }: LoadedWebsite,
  draft: StagingDraft,
  id: (table: string) => number,
): StagingInput => ({
  ...draft,
  origin_id,
  website_id: id('websites'),
  database_id: id('databases'),
  database_password: drawn(),
  temporary: drawn(),
  label: drawn(),
})

/** Copies a website with its application to another domain, where it sends no mail and is not indexed. */
export const staging = work({
  kind: 'staging.create',
  lane: 'files',
  input: StagingInput,
  reply: StagingCopy,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: StagingAlready,
  decide: async ({ input, caller, now, signal, staging: on }) => {
    if (caller === null) throw Forbidden()
    const origin = await loadWebsite(on.websites, input.origin_id, caller)
    await assertStageable(on, origin)
    const request = { caller, now, signal }
    const site = await newCopy(on, origin, input, request)
    const { username, domain } = site
    const wordpress = await wordpressOf(on, origin, site, { input, now })
    const { locks, steps, rows } = await createdSite(
      on.websites,
      site,
      { ...request, query: { overwrite: false }, refusal: SettingInvalid },
      ({ folders, nginx }) => [
        step(folders.copy, {
          from: { username: origin.username, domain: origin.domain },
          to: { username, domain },
          id: site.id,
        }),
        step(folders.make, { username, domain, logs: nginx.logDirectory(domain) }),
        ...(wordpress?.steps ?? []),
      ],
    )
    const at = now.toISOString()
    const row = {
      website_id: site.id,
      origin_id: origin.id,
      user_id: site.user_id,
      created_at: at,
      pushed_at: null,
    }
    return change({
      summary: `Make the staging copy ${domain} of ${origin.domain}`,
      locks: [
        // the origin keeps its version of PHP in use, so that copies of others need not wait for this one
        ...locks.filter((lock) => lock !== phpVersionLock(site.settings.php_version ?? '')),
        ...websiteLocks([origin.domain]),
        ...(wordpress?.locks ?? []),
      ],
      steps,
      details: wordpress === undefined ? ['The document root has no WordPress: files alone are copied'] : [],
      // the website first: the other rows refer to it
      rows: [...rows, ...(wordpress?.rows ?? []), stagingCopies.insert(stagingCopies.row(row))],
      reply: {
        ...{ website_id: site.id, domain, username, origin_id: origin.id, origin_domain: origin.domain },
        ...{ url: `http://${domain}/`, created_at: at, pushed_at: null },
      },
    })
  },
})

async function assertStageable({ queries }: Staging, { id, type, domain }: LoadedWebsite): Promise<void> {
  if (type === 'proxy') throw NotStageable(`id: ${domain} forwards to an upstream and has no files to copy`)
  if ((await queries.find(id)) !== undefined)
    throw NotStageable(`id: ${domain} is a staging copy itself: make a copy of its origin`)
}

interface Request {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

const noRobots = { name: 'add_header', values: ['X-Robots-Tag', 'noindex, nofollow', 'always'] }

const mostDirectives = 100

/** Apache has no further directives: there, WordPress itself asks search engines to stay away. */
async function quietDirectives(websites: Websites, { directives }: LoadedWebsite['settings']) {
  if ((await websites.serving()).name !== 'nginx') return directives
  if (directives.length >= mostDirectives)
    throw NotStageable(
      `id: the website has ${mostDirectives} directives, and the copy needs another one: remove one`,
    )
  return [...directives, noRobots]
}

/** The copy belongs to the owner of the origin, and has its settings. */
async function newCopy(
  { websites }: Staging,
  origin: LoadedWebsite,
  { website_id, domain, visitor = 'staging', visitor_password: password }: StagingInput,
  request: Request,
): Promise<LoadedWebsite> {
  const owner = await ownerFor(websites, { username: origin.username }, request)
  const { page_cache: _, ...settings } = origin.settings
  const hash = password === undefined ? undefined : await websites.nginx.hashPassword(password)
  return {
    ...newRow({ domain, type: origin.type }, owner, { ...request, id: () => website_id }),
    aliases: [],
    settings: {
      ...settings,
      shared_subdomains: false,
      directives: await quietDirectives(websites, settings),
    },
    protectedFolders:
      hash === undefined ? origin.protectedFolders : [{ folder: '/', users: [{ username: visitor, hash }] }],
    hasAccessRules: origin.hasAccessRules,
  }
}

/** Returns what gives the copy of WordPress a database of its own; undefined without WordPress. */
async function wordpressOf(
  on: Staging,
  origin: LoadedWebsite,
  site: LoadedWebsite,
  { input, now }: { readonly input: StagingInput; readonly now: Date },
) {
  const source = await wordpressDatabase(on, origin)
  const version = site.settings.php_version
  if (source === undefined || version === null) return undefined
  const { database_id, database_password: password, temporary, label } = input
  const name = `wp${site.id}`
  const copy = await copiedDatabase(on.databases, source, site, {
    ...{ id: database_id, name, username: name, hash: hashOf(password), temporary, label, now },
  })
  const { username, domain } = site
  const database = copy.row.name
  const account = copy.account.username
  const address = addressesOf(origin, site)
  const steps: readonly Step[] = [
    ...copy.steps,
    step(on.steps.prepareWordpress, {
      username,
      domain,
      change: { database, account, password, ...address },
    }),
    step(on.steps.replaceAddresses, {
      ...{ username, version, database, account, password, ...address },
      ...foldersOf(origin, site),
    }),
  ]
  return { locks: copy.locks, steps, rows: copy.rows }
}
