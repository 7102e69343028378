import { contribution } from '../../core/point.ts'
import { noticed } from '../notifications/index.ts'
import type { JobsArea } from './context.ts'

const most = 100

/** Tells the owner of a job, or superusers, that it failed. */
export const noticesOfJobs = ({ queries }: JobsArea) =>
  contribution(noticed, {
    name: 'jobs',
    kinds: [{ name: 'job_failed', title: 'A job failed' }],
    after: ['jobs'],
    read: async (since) => {
      const { newest } = await queries.failures(since, { limit: most })
      return newest.toReversed().map(({ id, kind, title, error, message, owner_id: ownerId }) => ({
        kind: 'job_failed',
        key: `job:${id}`,
        group: kind,
        to: ownerId ?? 'superusers',
        title: `${title || `Job ${id}`} failed`,
        message: error ?? message,
        link: `/jobs/${id}`,
      }))
    },
  })
