import Type, { type Static } from 'typebox'

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description, expects: `a whole number from ${minimum} to ${maximum}` })

/** Which answers of PHP nginx keeps. */
export const pageCacheFields = {
  is_enabled: Type.Boolean({ description: 'Whether pages are kept' }),
  lifetime_seconds: whole(
    1,
    86_400,
    'How long a page is kept at most, unless the application says otherwise',
  ),
  max_size_mb: whole(1, 256, 'Size of all pages that are kept, in MiB'),
  uncached_paths: Type.Array(
    Type.String({
      maxLength: 200,
      pattern: '^/[A-Za-z0-9_./ @%+~-]*$',
      description: 'Beginning of a path',
      expects: 'the beginning of a path such as /wp-admin/, of letters, digits, spaces and / _ . @ % + ~ -',
    }),
    { maxItems: 100, uniqueItems: true, description: 'Paths whose pages are never kept, with all below' },
  ),
  uncached_cookies: Type.Array(
    Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9_.-]+$',
      description: 'Beginning of the name of a cookie',
      expects: 'the beginning of a name such as wordpress_logged_in_, of letters, digits and _ . -',
    }),
    {
      maxItems: 100,
      uniqueItems: true,
      description: 'Cookies with which a visitor gets no page that was kept',
    },
  ),
  caches_queries: Type.Boolean({ description: 'Whether addresses with a query are kept too' }),
}
export const PageCacheSettings = Type.Object(pageCacheFields)
export type PageCacheSettings = Static<typeof PageCacheSettings>
