import type { FindObjects } from '../../../web/area-pages.ts'
import { run } from '../../../web/client.ts'
import { websites } from './api.ts'

/** Finds websites by a part of their domain or of their owner's name. */
export const findWebsites: FindObjects = async (search, signal) => {
  const page = await run(websites.listWebsites({ query: { search, per_page: 5, sort: 'domain' } }), signal)
  return page.items.map(({ id, domain, username }) => ({
    title: domain,
    note: username,
    to: `/websites/${id}`,
  }))
}
