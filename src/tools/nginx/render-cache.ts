import { cacheFolder, logDirectory, type NginxLayout } from './layout.ts'
import { literal, quoted } from './quote.ts'
import { responseBuffers } from './response-buffers.ts'
import type { NginxSite, SiteCache, SiteOptions } from './site.ts'

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

/** Renders what the cache of a site needs outside of its server. */
export function cacheZone({ id, php }: NginxSite, layout: Pick<NginxLayout, 'cacheDirectory'>): string[] {
  const cache = php?.cache
  if (cache === undefined) return []
  const idle = Math.max(cache.seconds, leastIdleSeconds)
  return [
    `fastcgi_cache_path ${quoted(cacheFolder(layout, id))} levels=1:2 keys_zone=${zoneOf(id)}:${zoneSize} max_size=${cache.sizeMb}m min_free=${leastFree} inactive=${idle}s use_temp_path=off;`,
    ...uncachedMaps(id, cache),
  ]
}

/** Of the path after redirects, such as that to the index of a folder. */
const uncachedScript = (siteId: number): string => `$hostreeve_uncached_script_${siteId}`

const uncached = (siteId: number, index = 0): string => `$hostreeve_uncached_${siteId}_${index}`

/** Renders variables, each of which is 1 where its part of a request rules the cache out, and else the next one. */
function uncachedMaps(id: number, { paths, cookies, keepsQueries }: SiteCache): string[] {
  const anything = '.'
  const ofPaths = paths.length === 0 ? '' : `^(?:${paths.map(literal).join('|')})`
  const conditions = [
    { part: '$http_authorization', pattern: anything },
    { part: '$args', pattern: keepsQueries ? '' : anything },
    { part: '$uri', pattern: ofPaths },
    {
      part: '$http_cookie',
      pattern: cookies.length === 0 ? '' : `(?:^|;) *(?:${cookies.map(literal).join('|')})`,
    },
  ].filter(({ pattern }) => pattern !== '')
  const otherwise = (index: number) => (index + 1 < conditions.length ? uncached(id, index + 1) : '0')
  return [
    ...conditions.flatMap(({ part, pattern }, index) => [
      `map ${part} ${uncached(id, index)} {`,
      `    "~${pattern}" 1;`,
      `    default ${otherwise(index)};`,
      '}',
    ]),
    ...(ofPaths === ''
      ? []
      : [`map $uri ${uncachedScript(id)} {`, `    "~${ofPaths}" 1;`, '    default 0;', '}']),
  ]
}

/** Renders what a site's server needs for its cache. */
export function cacheConditions(id: number, cache: SiteCache): string[] {
  return [
    `    add_header ${header} $upstream_cache_status always;`,
    `    set $hostreeve_uncached ${uncached(id)}; # decided once, before the path becomes that of a front controller`,
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

/**
 * Renders a location that looks for a kept page before any file: an address without a dot is seldom one. For what is not kept it has a
 * name that nothing resolves, and the error 502 leads on: it would be logged for each such request. Without the port it would be 500, after
 * which nginx closes the connection. With an upstream that is down, nginx would answer with expired pages that allow `stale-if-error`, and
 * PHP would never build them again.
 */
export function keptPages(
  { id, domain, options }: NginxSite,
  layout: Pick<NginxLayout, 'logsDirectory'>,
): string[] {
  if (options !== undefined && !canAnswerFirst(options)) return []
  const errorPages = (options?.errorPages ?? []).filter(({ code }) => code !== 502)
  return [
    '    location ~ "^[^.]*$" {',
    ...keptPage(id),
    ...responseBuffers('fastcgi'),
    `        error_log ${quoted(`${logDirectory(layout, domain)}/error.log`)} crit;`,
    '        recursive_error_pages on;',
    '        error_page 502 = @hostreeve_files;',
    ...errorPages.map(({ code, path }) => `        error_page ${code} ${quoted(path)};`),
    '        set $hostreeve_nowhere hostreeve-nowhere.invalid:1; # RFC 6761',
    '        fastcgi_pass $hostreeve_nowhere;',
    '    }',
    '    location @hostreeve_files {',
    `        ${filesFirst}`,
    '    }',
  ]
}

/**
 * Passwords are costly to check twice, and wrong ones belong in the log, as do requests that a directive denies. An error page without a
 * dot would come from this location, which takes the page of the address that was asked for; so might those of a directive. Directives of
 * FastCGI were not written for it, it has an `auth_request` of its own, and a resolver would be asked for the name.
 */
const canAnswerFirst = ({ protectedFolders, errorPages, directives }: SiteOptions): boolean =>
  protectedFolders.length === 0 &&
  errorPages.every(({ path }) => path.includes('.')) &&
  !directives.some(({ name }) => /^(?:error_|fastcgi_|auth_|limit_|deny$|resolver)/.test(name))

/** Files, folders, and the front controller for everything else. */
export const filesFirst = 'try_files $uri $uri/ /index.php?$query_string;'

const keptPage = (siteId: number): string[] =>
  [
    `auth_request ${generationLocation};`,
    'auth_request_set $hostreeve_generation $sent_http_etag;',
    `fastcgi_cache ${zoneOf(siteId)};`,
    `fastcgi_cache_key "${key}";`,
    'fastcgi_cache_methods GET HEAD;',
    'fastcgi_cache_bypass $hostreeve_uncached;',
  ].map((line) => `        ${line}`)

/**
 * Renders what the location of PHP needs. nginx itself keeps no answer with `Set-Cookie`, or that says it must not be kept. There is no
 * `fastcgi_cache_lock`: requests for such an answer would wait for each other, half a second at a time.
 */
export const cacheOfLocation = (siteId: number, { seconds, paths }: SiteCache): string[] => [
  ...keptPage(siteId),
  `        fastcgi_cache_valid 200 301 308 ${seconds}s;`,
  `        fastcgi_no_cache ${['$hostreeve_uncached', ...(paths.length === 0 ? [] : [uncachedScript(siteId)])].join(' ')};`,
  '        fastcgi_cache_use_stale error timeout updating;',
  `        fastcgi_limit_rate ${writeRate};`,
]
