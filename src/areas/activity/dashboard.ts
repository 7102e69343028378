import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { tiles } from '../dashboard/index.ts'
import type { Activity } from './context.ts'

const shown = 6

/** The latest changes on the dashboard. */
export const onDashboard = ({ queries, actions }: Activity) => [
  contribution(tiles, {
    name: 'activity',
    title: 'Recent changes',
    link: '/activity',
    guard: superuser,
    read: async () => {
      const entries = await queries.latestChanges(shown)
      return {
        state: 'none',
        summary: entries.length === 0 ? 'Nothing was changed yet' : '',
        items: entries.map(({ action, message, status, created_at: time }) => ({
          title: message || (actions().get(action)?.title ?? action),
          link: '/activity',
          state: status,
          time,
        })),
      }
    },
  }),
]
