import type { Deciding } from '../../core/endpoint.ts'
import { data } from '../../core/reply.ts'
import { loadWebsite, WebsitePath } from '../websites/index.ts'
import { type Context, endpoint } from './context.ts'
import { Statistics, StatisticsQuery } from './model.ts'
import { readStatistics } from './statistics.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, traffic: { websites } }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

export const getStatistics = endpoint({
  method: 'GET',
  base: '/websites',
  path: '/{id}/statistics',
  summary: 'Read the traffic of a website: requests, bytes and statuses by the hour, and its slowest paths',
  description: `Hours are kept for 90 days.`,
  effect: 'reads',
  params: WebsitePath,
  target: load,
  query: StatisticsQuery,
  reply: data(Statistics),
  timeoutMs: 60_000,
  run: ({ target, query, now, signal, traffic }) =>
    readStatistics(traffic, target, { now, hours: query.hours, signal }),
})
