import { contribution } from '../../core/point.ts'
import type { Store } from '../../store/store.ts'
import { noticed } from '../notifications/index.ts'
import { keptVerification } from './verifications-store.ts'

/** Tells superusers that the check of the night has found a break of the chain. */
export const noticesOfActivity = (store: Store) =>
  contribution(noticed, {
    name: 'activity',
    kinds: [{ name: 'activity_altered', title: 'The activity log was altered' }],
    after: ['activity_verifications'],
    read: async () => {
      const found = await keptVerification(store)
      if (found === undefined || found.ok) return []
      return [
        {
          kind: 'activity_altered',
          key: `activity-altered:${found.broken_at}`,
          group: 'activity',
          lasts: true as const,
          to: 'superusers' as const,
          title: `The activity log was altered at entry ${found.broken_at}`,
          message: `The check of the night has found: ${found.reason}.`,
          link: '/activity',
        },
      ]
    },
  })
