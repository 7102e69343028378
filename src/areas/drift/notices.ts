import { contribution } from '../../core/point.ts'
import { type Notice, noticed } from '../notifications/index.ts'
import type { DriftArea } from './context.ts'
import type { FoundRow } from './store.ts'

/** Tells superusers of what the last check found to differ; unread ones are counted in one notification. */
export const noticesOfDrift = ({ queries }: Pick<DriftArea, 'queries'>) =>
  contribution(noticed, {
    name: 'drift',
    kinds: [{ name: 'drift_found', title: 'Something was changed outside the panel' }],
    after: ['drift_found'],
    read: async () => (await queries.found()).map(noticeOf),
  })

const happened = {
  same: 'was put right',
  edited: 'was edited',
  missing: 'was removed',
  unexpected: 'was added',
}

const noticeOf = ({ item, kind, name, state }: FoundRow): Notice => ({
  kind: 'drift_found',
  key: `drift:${item}`,
  group: 'drift',
  lasts: true,
  to: 'superusers',
  title: `${kind === 'file' ? name : `The ${kind} ${name}`} ${happened[state]}`.slice(0, 200),
  message: 'It was not changed through the panel: adopt or revert it.',
  link: '/settings/drift',
})
