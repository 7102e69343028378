import { contribution } from '../../core/point.ts'
import { noticed, type Notice } from '../notifications/index.ts'
import type { Manifests } from './context.ts'
import { type LeftoverRow, leftovers } from './store.ts'

/** Tells superusers what a manifest could not remove: after a restart of the panel its reply reaches nobody. */
export const noticesOfManifests = ({ queries }: Pick<Manifests, 'queries'>) =>
  contribution(noticed, {
    name: 'manifest',
    kinds: [{ name: 'manifest_incomplete', title: 'A manifest could not remove everything' }],
    after: [leftovers.name],
    read: async () => (await queries.newest()).map(noticeOf),
  })

/** A group for each job, so that none replaces another. It lasts, so that it is raised however long the panel was down. */
const noticeOf = ({ job_id: jobId, message }: LeftoverRow): Notice => ({
  kind: 'manifest_incomplete',
  key: `manifest:${jobId}`,
  group: `manifest:${jobId}`,
  lasts: true,
  to: 'superusers',
  title: 'A manifest could not remove everything',
  message: `Remove on the server what is still there: ${message}`,
  link: `/jobs/${jobId}`,
})
