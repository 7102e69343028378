import Type from 'typebox'
import { type Deciding, failures, local } from '../../core/endpoint.ts'
import { data, succeeded } from '../../core/reply.ts'
import { loadWebsite, notServed, SettingInvalid, WebsitePath } from '../websites/index.ts'
import { type Context, endpoint } from './context.ts'
import { PageCache, PageCacheEdit, Purge } from './model.ts'
import * as verbs from './page-cache.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, pageCache: { websites } }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

const ofWebsite = endpoint.with({ base: '/websites', params: WebsitePath, target: load })

export const readPageCache = ofWebsite({
  method: 'GET',
  path: '/{id}/page-cache',
  summary: 'Read the page cache of a website, and how many pages it keeps',
  effect: 'reads',
  reply: data(PageCache),
  run: ({ target, pageCache }) => verbs.readPageCache(pageCache, target),
})

export const editPageCache = ofWebsite({
  method: 'PATCH',
  path: '/{id}/page-cache',
  summary: 'Change the page cache of a website, or turn it on or off',
  description:
    'nginx keeps answers of PHP to GET and HEAD for a while. WordPress in the document root gets a plugin that empties the cache when something changes. Answers have the header X-Cache: HIT, MISS, BYPASS, EXPIRED, STALE or UPDATING.',
  effect: 'changes',
  category: 'websites',
  query: Type.Object({
    overwrite: Type.Boolean({
      default: false,
      description: 'Whether a file of the website that was edited by hand is replaced',
    }),
  }),
  body: PageCacheEdit,
  reply: data(PageCache),
  throws: failures(notServed, { bad_request: SettingInvalid }),
  run: ({ target, body, pageCache, ...request }) => verbs.editPageCache(pageCache, target, body, request),
})

export const purgePageCache = ofWebsite({
  method: 'POST',
  path: '/{id}/page-cache/purge',
  summary: 'Remove the pages that are kept of a website, or those of one path',
  effect: 'destroys',
  category: local('each host keeps pages of its own'),
  body: Purge,
  reply: succeeded,
  throws: { bad_request: SettingInvalid },
  run: ({ target, body, pageCache }) => verbs.purgePageCache(pageCache, target, body),
})
