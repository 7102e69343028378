import type { Caller } from '../../core/caller.ts'
import { type Change, type JobDraft, step } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { apiPort } from '../../tools/headscale/index.ts'
import { issuing } from '../certificates/index.ts'
import {
  createdSite,
  deleteWebsite,
  loadAnyWebsite,
  type LoadedWebsite,
  newRow,
  newSettings,
  ownerFor,
} from '../websites/index.ts'
import type { VpnGateway } from './context.ts'
import type { StoredSettings } from './store.ts'

/** The input and the moment of an installation. */
interface Making {
  readonly website_id: number
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

/** The parts of a change. */
type Parts = Pick<Change, 'locks' | 'steps' | 'rows'> & { readonly jobs: readonly JobDraft[] }

const none: Parts = { locks: [], steps: [], rows: [], jobs: [] }

/** Returns the website that forwards to the control server; undefined if it was deleted. */
export async function findWebsite(
  { websites }: VpnGateway,
  { website_id }: Pick<StoredSettings, 'website_id'>,
): Promise<LoadedWebsite | undefined> {
  if (website_id === null) return undefined
  return loadAnyWebsite(websites, website_id).catch((error: unknown) => {
    if (error instanceof Problem && error.kind.status === 404) return undefined
    throw error
  })
}

/** Returns what makes the website that forwards to the control server, and asks for its certificate. */
export async function madeWebsite(
  on: VpnGateway,
  { domain, username }: { readonly domain: string; readonly username: string | null },
  { website_id, caller, now, signal }: Making,
): Promise<Parts> {
  const request = { caller, now, signal, id: () => website_id, query: { overwrite: false } }
  const draft = { domain, type: 'proxy' as const, upstream: `http://127.0.0.1:${apiPort}` }
  const owner = await ownerFor(on.websites, { ...(username !== null && { username }) }, request)
  const site: LoadedWebsite = {
    ...newRow(draft, owner, request),
    aliases: [],
    settings: await newSettings(on.websites, draft, caller),
    protectedFolders: [],
    hasAccessRules: false,
  }
  const made = await createdSite(on.websites, site, request, ({ nginx, folders }) => [
    step(folders.make, { username: site.username, domain, logs: nginx.logDirectory(domain) }),
  ])
  const certificate = {
    kind: issuing.kind,
    input: { website_id, method: 'acme' as const },
    ownerId: caller.user.id,
    title: `Issue a certificate for ${domain}`,
  }
  return { ...made, jobs: [certificate] }
}

/** Returns what deletes the website again, with its files, which are none of a person. */
export async function deletedWebsite(on: VpnGateway, settings: StoredSettings): Promise<Parts> {
  const site = await findWebsite(on, settings)
  if (site === undefined) return none
  const options = { files: 'remove', databases: 'keep', overwrite: true } as const
  const { locks, steps, rows, jobs } = await deleteWebsite(on.websites, site, options)
  return { locks, steps, rows, jobs }
}
