import { type Change, change, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import {
  existsInHome,
  type LoadedWebsite,
  type PageCacheSettings,
  readHomeFile,
  SettingInvalid,
  websiteLocks,
  withPageCache,
} from '../websites/index.ts'
import type { PageCaches } from './context.ts'
import { defaults } from './defaults.ts'
import type { PageCache, PageCacheEdit } from './model.ts'
import { plugin, wordpressFile } from './plugin.ts'
import { pathsOf } from './steps/write-home-files.ts'

const settingsOf = ({ settings }: LoadedWebsite): PageCacheSettings => ({
  ...defaults,
  ...settings.page_cache,
})

/** Returns the page cache of a website, and what it keeps. */
export async function readPageCache(on: PageCaches, site: LoadedWebsite): Promise<PageCache> {
  const settings = settingsOf(site)
  const { pages, bytes } = settings.is_enabled ? await on.nginx.countPages(site.id) : { pages: 0, bytes: 0 }
  return {
    ...settings,
    purges_on_change: settings.is_enabled && (await hasPlugin(on, site)),
    pages,
    size_bytes: bytes,
  }
}

/** A home that cannot be read has no plugin that could be told of. */
async function hasPlugin(on: PageCaches, site: LoadedWebsite): Promise<boolean> {
  try {
    return (await readHomeFile(await on.ownerOf(site.username), pathsOf(site).plugin))?.text === plugin
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return false
  }
}

/** Changes the page cache of a website: its configuration, the folder of its pages, and what its scripts need to empty it. */
export async function editPageCache(
  on: PageCaches,
  site: LoadedWebsite,
  edit: PageCacheEdit,
  request: Pick<Deciding, 'now'> & { readonly query: { readonly overwrite: boolean } },
): Promise<Change<PageCache>> {
  const settings: PageCacheSettings = { ...settingsOf(site), ...edit }
  const { is_enabled: isOn } = settings
  const { username, domain } = site
  if (site.type !== 'php' && isOn)
    throw SettingInvalid(`is_enabled: belongs to websites of type php; this one is ${site.type}`)
  const isWordpress =
    isOn && (await existsInHome(await on.ownerOf(username), `sites/${domain}/${wordpressFile}`))
  const { locks, steps, rows } = await withPageCache(on.websites, site, settings, {
    ...request,
    refusal: SettingInvalid,
  })
  const home = step(on.steps.writeHomeFiles, { username, domain, isOn, plugin: isWordpress ? plugin : null })
  const hadFiles = settingsOf(site).is_enabled
  const kept = hadFiles && isOn ? await on.nginx.countPages(site.id) : { pages: 0, bytes: 0 }
  return change({
    summary: `${summaryOf(site, isOn)} the page cache of ${domain}`,
    locks,
    // the file whose time is in the keys comes before the first page, and goes after the last one
    steps: isOn ? [home, ...steps] : [...steps, ...(hadFiles ? [home] : [])],
    rows,
    reply: { ...settings, purges_on_change: isWordpress, pages: kept.pages, size_bytes: kept.bytes },
  })
}

function summaryOf(site: LoadedWebsite, isOn: boolean): string {
  if (settingsOf(site).is_enabled === isOn) return 'Change'
  return isOn ? 'Turn on' : 'Turn off'
}

/** Removes the pages of a path, or all that are kept. */
export function purgePageCache(
  on: PageCaches,
  { id, domain, ...site }: LoadedWebsite,
  { path }: { readonly path?: string },
): Change<{ success: true }> {
  if (site.settings.page_cache?.is_enabled !== true)
    throw SettingInvalid(`path: ${domain} keeps no pages: turn its page cache on first`)
  return change({
    summary: `Empty the page cache of ${domain}${path === undefined ? '' : ` for ${path}`}`,
    locks: websiteLocks([domain]),
    steps: [step(on.nginx.steps.purgeCache, { siteId: id, path: path ?? null })],
    reply: success,
  })
}
