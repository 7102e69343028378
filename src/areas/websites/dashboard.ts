import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { firstSteps, type TileContent, tiles } from '../dashboard/index.ts'
import type { Websites } from './context.ts'
import type { WebsiteRow } from './store.ts'

const shown = 5
const guard = permission('websites_management')

/** The websites on the dashboard. */
export const onDashboard = ({ queries }: Websites) => [
  contribution(tiles, {
    name: 'websites',
    title: 'Websites',
    link: '/websites',
    guard,
    read: async ({ caller }) => {
      const newest = { sort: '-created_at', page: 1, per_page: shown } as const
      const [{ items, total }, suspended] = [
        await queries.page(newest, caller),
        await queries.countSuspended(caller),
      ]
      return tileOf(items, { total, suspended })
    },
  }),
  contribution(firstSteps, {
    name: 'first-website',
    order: 20,
    title: 'Create a website',
    detail: 'A placeholder page is served at once; upload your files afterwards.',
    link: '/websites',
    guard,
    isDone: async ({ caller }) =>
      (await queries.page({ sort: 'id', page: 1, per_page: 1 }, caller)).total > 0,
  }),
]

function tileOf(
  newest: readonly WebsiteRow[],
  { total, suspended }: { readonly total: number; readonly suspended: number },
): TileContent {
  const count = `${total} ${total === 1 ? 'website' : 'websites'}`
  return {
    state: total === 0 ? 'none' : 'ok',
    summary: suspended === 0 ? count : `${count}, ${suspended} suspended`,
    items: newest.map(({ id, domain, username, is_suspended, created_at }) => ({
      title: domain,
      detail: username,
      link: `/websites/${id}`,
      state: is_suspended === 1 ? 'suspended' : 'live',
      time: created_at,
    })),
  }
}
