import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { type TileContent, tiles } from '../dashboard/index.ts'
import { longestSoonMs, stateOf } from './certificates.ts'
import type { Certificates } from './context.ts'

const shown = 5
const most = 200

/** The certificates that expire, on the dashboard. */
export const onDashboard = ({ queries }: Pick<Certificates, 'queries'>) => [
  contribution(tiles, {
    name: 'certificates',
    title: 'Certificates',
    link: '/websites',
    guard: permission('websites_management'),
    read: async ({ caller: { user }, now }): Promise<TileContent | undefined> => {
      const userId = user.isAdmin ? undefined : user.id
      const total = await queries.count(userId)
      if (total === 0) return undefined
      const soon = new Date(now.getTime() + longestSoonMs)
      const found = await queries.expiring(soon, { limit: most, ...(userId !== undefined && { userId }) })
      const expiring = found.filter((row) => stateOf(row, now) !== 'valid')
      const count = `${total} ${total === 1 ? 'certificate' : 'certificates'}`
      return {
        state: expiring.length === 0 ? 'ok' : 'attention',
        summary: expiring.length === 0 ? count : `${count}, ${expiring.length} expiring`,
        items: expiring.slice(0, shown).map((row) => ({
          title: row.domain,
          detail: row.issuer,
          link: `/websites/${row.website_id}/certificate`,
          state: stateOf(row, now),
          time: row.not_after,
        })),
      }
    },
  }),
]
