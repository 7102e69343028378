import type { SiteCache } from '../../tools/nginx/index.ts'
import type { StoredWebsite } from './store.ts'

/** The name of the file beside the document root whose time and size are part of the key of every page. */
export const generationName = '.hostreeve-page-cache'

/** Returns the page cache as a web server serves it. */
export function servedCache({
  root,
  settings,
}: Pick<StoredWebsite, 'root' | 'settings'>): SiteCache | undefined {
  const cache = settings.page_cache
  if (cache?.is_enabled !== true) return undefined
  return {
    seconds: cache.lifetime_seconds,
    sizeMb: cache.max_size_mb,
    paths: cache.uncached_paths,
    cookies: cache.uncached_cookies,
    keepsQueries: cache.caches_queries,
    generationFile: `${root.slice(0, root.lastIndexOf('/'))}/${generationName}`,
  }
}
