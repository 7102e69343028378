import type { RowWrite, Step } from '../../core/change.ts'
import { step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import type { Websites } from './context.ts'
import { SettingInvalid } from './problems.ts'
import type { PageCacheSettings } from './page-cache-model.ts'
import { assertNotOpened } from './settings.ts'
import { editedSite, type EditRequest, type Loaded, locksOf, type Refusing, settingsRow } from './site.ts'
import { websiteSettings } from './store.ts'

const isKept = (site: Loaded | undefined): boolean => site?.settings.page_cache?.is_enabled === true

/** Returns the steps that make the folder of a website's page cache, and those that remove it, to be done last. */
export function cacheSteps(
  { nginx }: Pick<Websites, 'nginx'>,
  was: Loaded | undefined,
  next: Loaded | undefined,
): { readonly first: readonly Step[]; readonly last: readonly Step[] } {
  const set = (siteId: number, isPresent: boolean) => [
    step(nginx.steps.setCacheFolder, { siteId, isPresent }),
  ]
  return {
    first: next !== undefined && isKept(next) ? set(next.id, true) : [],
    last: was !== undefined && isKept(was) && !isKept(next) ? set(was.id, false) : [],
  }
}

/**
 * Returns the step that gives the pages of a website new keys, where it keeps any. A change of its files or tables has one before them, which is the last one of the way back, and one after them.
 */
export const renewedPages = (
  { folders }: Pick<Websites, 'folders'>,
  { username, domain, settings }: Pick<Loaded, 'username' | 'domain' | 'settings'>,
  when: 'before' | 'after',
): readonly Step[] =>
  settings.page_cache?.is_enabled === true
    ? [step(folders.renewPages, { username, domain, isAfter: when === 'after' })]
    : []

interface Cached {
  readonly next: Loaded
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
}

/** Returns what changes the page cache of a website. */
export async function withPageCache(
  on: Websites,
  site: Loaded,
  page_cache: PageCacheSettings,
  request: EditRequest & Refusing,
): Promise<Cached> {
  const settings = { ...site.settings, page_cache }
  assertNotOpened(settings, 'is_enabled')
  assertShort(page_cache)
  const { next, row, steps } = await editedSite(on, site, { settings }, request)
  const folder = cacheSteps(on, site, next)
  return {
    next,
    locks: locksOf([site.domain]),
    steps: [...folder.first, ...steps, ...folder.last],
    rows: [row, websiteSettings.delete({ website_id: site.id }), settingsRow(next)],
  }
}

/** nginx reads them as one word of at most 4,096 bytes, in which some characters take two. */
const mostCharacters = 1500

function assertShort(settings: PageCacheSettings): void {
  for (const field of ['uncached_paths', 'uncached_cookies'] as const)
    if (settings[field].join('|').length > mostCharacters)
      throw SettingInvalid(`${field}: must have at most ${mostCharacters} characters together`)
}
