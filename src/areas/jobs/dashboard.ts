import { signedIn } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { type TileContent, tiles } from '../dashboard/index.ts'
import type { JobsArea } from './context.ts'

const shown = 5
const failedWithinMs = 7 * 24 * 3_600_000

/** The jobs that failed within a week, and those that run, on the dashboard. */
export const onDashboard = ({ queries }: JobsArea) => [
  contribution(tiles, {
    name: 'jobs',
    title: 'Jobs',
    link: '/jobs',
    guard: signedIn,
    read: async ({ caller: { user }, now }): Promise<TileContent> => {
      const since = new Date(now.getTime() - failedWithinMs)
      const found = await queries.failures(since, {
        limit: shown,
        ...(!user.isAdmin && { ownerId: user.id }),
      })
      const { failed, running, newest } = found
      const counted = failed === 0 ? 'None failed' : `${failed} failed`
      return {
        state: failed === 0 ? 'ok' : 'attention',
        summary: `${counted} in the last 7 days${running === 0 ? '' : `; ${running} running`}`,
        items: newest.map(({ id, title, state, error, message, finished_at: time }) => ({
          title: title || `Job ${id}`,
          detail: error ?? message,
          link: `/jobs/${id}`,
          state,
          time,
        })),
      }
    },
  }),
]
