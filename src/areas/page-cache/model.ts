import Type, { type Static } from 'typebox'
import { Optional } from '../../core/schemas.ts'
import { pageCacheFields } from '../websites/index.ts'

export const PageCache = Type.Object({
  ...pageCacheFields,
  purges_on_change: Type.Boolean({
    description: 'Whether WordPress in the document root empties the cache when something changes',
  }),
  pages: Type.Integer({ minimum: 0, description: 'Number of pages that are kept' }),
  size_bytes: Type.Integer({ minimum: 0, description: 'Their size' }),
})
export type PageCache = Static<typeof PageCache>

const { is_enabled, lifetime_seconds, max_size_mb, uncached_paths, uncached_cookies, caches_queries } =
  pageCacheFields

/** A field that is absent stays. */
export const PageCacheEdit = Type.Object({
  is_enabled: Optional(is_enabled),
  lifetime_seconds: Optional(lifetime_seconds),
  max_size_mb: Optional(max_size_mb),
  uncached_paths: Optional(uncached_paths),
  uncached_cookies: Optional(uncached_cookies),
  caches_queries: Optional(caches_queries),
})
export type PageCacheEdit = Static<typeof PageCacheEdit>

export const Purge = Type.Object({
  path: Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^/[^?#\\u0000-\\u001f\\u007f]*$',
      description: 'Exact path whose pages are removed, with any query; default all pages',
      expects: 'a path such as /about/ without a query',
    }),
  ),
})
