import { randomUUID } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { Forbidden, unless } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { ownerProblems } from '../../host/owner/index.ts'
import { wayBack } from '../sitebackups/index.ts'
import { websiteLocks } from '../websites/index.ts'
import { assertBackedUp } from './backed-up.ts'
import { type WordPresses, work } from './context.ts'
import { type Installed, loadInstalled } from './installations.ts'
import {
  Altered,
  AlterInput,
  type AlterItem,
  type CoreUpdateDraft,
  type DeletionDraft,
  type ItemState,
  type UpdateDraft,
} from './model.ts'
import { assertFits, type Source } from './packages.ts'
import { AlteringAlready, ItemInUse, ItemUnknown, NoUpdate, SiteBroken, SourceInvalid } from './problems.ts'
import type { Read, ReadItem } from './run-script.ts'

/** Updates or deletes plugins and themes, or updates WordPress itself, with a backup to which a failure goes back. */
export const altering = work({
  kind: 'wordpress.alter',
  lane: 'files',
  input: AlterInput,
  reply: Altered,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  single: AlteringAlready,
  decide: async ({ input, caller, now, signal, wordpress: on }) => {
    if (caller === null) throw Forbidden()
    return alterChange(on, input, { caller, now, signal })
  },
})

/** Returns the input of an update. */
export const drawUpdate = ({ site }: Installed, { items, check_site }: UpdateDraft): AlterInput => ({
  website_id: site.id,
  action: 'update',
  items,
  check_site,
  mark: randomUUID(),
})

/** Returns the input of an update of WordPress itself. */
export const drawCoreUpdate = (
  installed: Installed,
  { check_site, ...source }: CoreUpdateDraft,
): AlterInput => ({
  ...drawUpdate(installed, { items: [], check_site }),
  items: [{ kind: 'core', name: 'WordPress', ...source }],
})

/** Returns the input of a deletion. */
export const drawDeletion = ({ site }: Installed, { items, check_site }: DeletionDraft): AlterInput => ({
  website_id: site.id,
  action: 'delete',
  items,
  check_site,
  mark: randomUUID(),
})

interface Request {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

async function alterChange(
  on: WordPresses,
  { website_id, action, items, check_site, mark }: AlterInput,
  { caller, now, signal }: Request,
): Promise<Change<Altered>> {
  const installed = await loadInstalled(on, website_id, caller)
  const { site, place } = installed
  assertDifferent(items)
  const read = await on.ask(place, 'read', {}, { signal })
  await assertBackedUp(on.backups, site, read.database)
  const chosen = await Promise.all(
    items.map((item, at) => chosenItem(on, installed, { item, at, read, action, signal })),
  )
  if (check_site) await assertAnswering(on, installed, signal)
  const back = await wayBack(on.backups, site, { now, ownerId: caller.user.id })
  const altered = step(on.steps.alter, {
    ...place,
    id: site.id,
    action,
    items: chosen,
    checksSite: check_site,
    isCached: site.settings.page_cache?.is_enabled === true,
    backup: from(back.backup, 'name'),
    isBackupComplete: from(back.backup, 'complete'),
    mark,
  })
  return change({
    summary: `${action === 'update' ? 'Update' : 'Delete'} ${items
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 200)} of ${site.domain}`,
    locks: [...websiteLocks([site.domain]), ...back.locks],
    steps: [back.backup, altered],
    jobs: back.jobs,
    reply: { items: from(altered, 'items'), backup: from(back.backup, 'name') },
  })
}

function assertDifferent(items: readonly AlterItem[]): void {
  const keys = items.map(({ kind, name }) => `${kind} ${name}`)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw ItemUnknown(`items: the ${twice} occurs twice`)
}

interface Choosing {
  readonly item: AlterItem
  readonly at: number
  readonly read: Read
  readonly action: AlterInput['action']
  readonly signal: AbortSignal
}

async function chosenItem(on: WordPresses, installed: Installed, choosing: Choosing) {
  const { item, at, read, action, signal } = choosing
  const { kind, name } = item
  if (kind === 'core') {
    const source = await sourceOf(on, installed, { item, field: '', found: read })
    const found = { kind, name, former_version: read.version }
    if (source.kind === 'url') return { ...found, source }
    const archive = `${await on.homeOf(installed.site.username)}/${source.path}`
    const version = await assertFits(on.ask, installed.place, { source, archive, signal })
    return { ...found, source: { ...source, version } }
  }
  const found = itemNamed(read, { kind, name }, `items.${at}.name`)
  if (action === 'delete') {
    if (found.is_active)
      throw ItemInUse(
        kind === 'plugin'
          ? `items.${at}.name: ${name} is active: deactivate it first`
          : `items.${at}.name: ${name} is the active theme: activate another one first`,
      )
    if (found.is_needed) throw ItemInUse(`items.${at}.name: the active theme is based on ${name}`)
    return { kind, name, former_version: found.version, source: null }
  }
  return {
    kind,
    name,
    former_version: found.version,
    source: await sourceOf(on, installed, { item, field: `items.${at}.`, found }),
  }
}

/** Returns a plugin or theme by its name. */
export function itemNamed(
  { plugins, themes }: Read,
  { kind, name }: Pick<ItemState, 'kind' | 'name'>,
  field: string,
): ReadItem {
  const found = (kind === 'plugin' ? plugins : themes).find((each) => each.name === name)
  if (found === undefined) throw ItemUnknown(`${field}: there is no ${kind} ${name}`)
  return found
}

interface Sourcing {
  readonly item: AlterItem
  /** Where the item is in the body. */
  readonly field: string
  readonly found: Pick<ReadItem, 'new_version' | 'package'>
}

async function sourceOf(
  on: WordPresses,
  { site }: Installed,
  { item: { kind, name, path, url, sha256 }, field, found: known }: Sourcing,
): Promise<Source> {
  if (path !== undefined && url !== undefined)
    throw SourceInvalid(`${field}path: must not be given together with url`)
  if (sha256 !== undefined && url === undefined)
    throw SourceInvalid(`${field}sha256: is compared with what url delivers, which is missing`)
  if (path !== undefined) {
    const { NoSuchFile, NotAFolder, NotPermitted, PathInvalid } = ownerProblems
    const owner = await on.ownerOf(site.username)
    const found = await unless([NoSuchFile, NotAFolder, NotPermitted, PathInvalid], owner.stat(path))
    if (found?.type !== 'file')
      throw SourceInvalid(`${field}path: ${path} is not a file in the home of ${site.username}`)
    return { kind: 'path', path }
  }
  if (url !== undefined) {
    if (sha256 === undefined) throw SourceInvalid(`${field}sha256: is required with url`)
    return { kind: 'url', url, sha256 }
  }
  const where = kind === 'core' ? '' : `${field}name: `
  if (known.new_version === null)
    throw NoUpdate(`${where}WordPress knows of no update of ${kind === 'core' ? 'itself' : name}`)
  if (known.package === null || !/^https:\/\/[!-~]{1,1000}$/.test(known.package))
    throw NoUpdate(`${where}the update of ${name} has no package: give a path or a url`)
  return { kind: 'url', url: known.package, sha256: null, version: known.new_version }
}

/** A website that fails already cannot tell whether an update broke it. */
async function assertAnswering(on: WordPresses, { site }: Installed, signal: AbortSignal): Promise<void> {
  const { domain, certificate, is_suspended, settings } = site
  const fault =
    is_suspended === 1
      ? `${domain} is suspended`
      : settings.maintenance
        ? `${domain} is under maintenance`
        : await on.faultOf({ name: domain, isTls: certificate !== null }, signal)
  if (fault !== undefined)
    throw SiteBroken(`${fault}: mend it first, or set check_site to false, and nothing is taken back`)
}
