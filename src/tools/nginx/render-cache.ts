import { cacheFolder, type NginxLayout } from './layout.ts'
import { literal, quoted } from './quote.ts'
import type { NginxSite, SiteCache } from './site.ts'

/** The name of the header that tells if an answer was kept. */
const header = 'X-Cache'

/** The location that answers with the ETag of the generation file; names that begin with a dot are never served. */
const generationLocation = '/.hostreeve/page-cache'

/** Of a zone: it knows some 8,000 pages, and the oldest of more are forgotten. */
const zoneSize = '1m'

/** Pages that nobody asks for leave the folder after this time at the earliest, such as those of former generations. */
const leastIdleSeconds = 3600

/** Of the disk, before pages of any website are removed: `max_size` is enforced afterwards, so that answers that are being written exceed it. */
const leastFree = '512m'

/** How much of it a request writes in a second. */
const writeRate = '16m'

/** The key of a page. The path comes last, as it alone may contain spaces; scripts see the header `Host` as it was sent. */
const key = '$scheme $request_method $host $http_host $hostreeve_generation $request_uri'

/** Returns the path in a key; undefined for that of something else. */
export const pathInKey = (text: string): string | undefined =>
  /^\S* \S* \S* \S* \S* (.*)$/.exec(text)?.[1]?.replace(/\?.*$/s, '')

const zoneOf = (siteId: number): string => `hostreeve-${siteId}`

/** Renders the zone of a site, which is outside of its server. */
export function cacheZone({ id, php }: NginxSite, layout: Pick<NginxLayout, 'cacheDirectory'>): string[] {
  const cache = php?.cache
  if (cache === undefined) return []
  const idle = Math.max(cache.seconds, leastIdleSeconds)
  return [
    `fastcgi_cache_path ${quoted(cacheFolder(layout, id))} levels=1:2 keys_zone=${zoneOf(id)}:${zoneSize} max_size=${cache.sizeMb}m min_free=${leastFree} inactive=${idle}s use_temp_path=off;`,
  ]
}

/**
 * Renders what a site's server needs for its cache. Conditions are evaluated for the path of the request and again for that of the
 * front controller: what the first one has set stays.
 */
export function cacheConditions(cache: SiteCache): string[] {
  return [
    `    add_header ${header} $upstream_cache_status always;`,
    '    uninitialized_variable_warn off;',
    ...uncachedIf('$http_authorization != ""'),
    ...uncachedIf(`$uri ~ "^(?:${cache.paths.map(literal).join('|')})"`, cache.paths.length > 0),
    ...uncachedIf(
      `$http_cookie ~ "(?:^|;) *(?:${cache.cookies.map(literal).join('|')})"`,
      cache.cookies.length > 0,
    ),
    ...uncachedIf('$args != ""', !cache.keepsQueries),
    `    location = ${generationLocation} {`,
    '        internal;',
    '        auth_basic off;',
    '        etag on;',
    '        log_not_found off;',
    '        disable_symlinks off; # only its time and size are used',
    `        alias ${quoted(cache.generationFile)};`,
    '        error_page 301 403 404 500 = @hostreeve_no_generation;',
    '    }',
    '    location @hostreeve_no_generation {',
    '        return 204;',
    '    }',
  ]
}

const uncachedIf = (condition: string, isNeeded = true): string[] =>
  isNeeded ? [`    if (${condition}) {`, '        set $hostreeve_uncached 1;', '    }'] : []

/**
 * Renders what the location of PHP needs. nginx itself keeps no answer with `Set-Cookie`, or that says it must not be kept. There is no
 * `fastcgi_cache_lock`: requests for such an answer would wait for each other, half a second at a time.
 */
export const cacheOfLocation = (siteId: number, { seconds }: SiteCache): string[] =>
  [
    `auth_request ${generationLocation};`,
    'auth_request_set $hostreeve_generation $sent_http_etag;',
    `fastcgi_cache ${zoneOf(siteId)};`,
    `fastcgi_cache_key "${key}";`,
    `fastcgi_cache_valid 200 301 308 ${seconds}s;`,
    'fastcgi_cache_methods GET HEAD;',
    'fastcgi_cache_bypass $hostreeve_uncached;',
    'fastcgi_no_cache $hostreeve_uncached;',
    'fastcgi_cache_use_stale error timeout updating;',
    `fastcgi_limit_rate ${writeRate};`,
  ].map((line) => `        ${line}`)
