import { createHash } from 'node:crypto'
import { contribution } from '../../core/point.ts'
import { noticed, type Notice } from '../notifications/index.ts'
import type { Manifests } from './context.ts'

/** Tells superusers what a manifest could not remove that was completed after the panel was killed: its reply reaches nobody. */
export const noticesOfManifests = ({ leftOver }: Pick<Manifests, 'leftOver'>) =>
  contribution(noticed, {
    name: 'manifest',
    kinds: [{ name: 'manifest_incomplete', title: 'A manifest could not remove everything' }],
    // a change that was cut off is settled with its job
    after: ['jobs'],
    read: async () => leftOver.map(noticeOf),
  })

/** The notice of what one manifest left. */
export const noticeOf = (left: readonly string[]): Notice => ({
  kind: 'manifest_incomplete',
  key: `manifest:${createHash('sha256').update(left.join('\n')).digest('hex')}`,
  group: 'manifest',
  lasts: true,
  to: 'superusers',
  title: 'A manifest could not remove everything',
  message: `Still there, remove it on the server: ${left.join('; ')}`,
  link: '/activity',
})
