import { contribution } from '../../../core/point.ts'
import { type Notice, noticed } from '../../notifications/index.ts'
import type { Uptime } from '../parts.ts'
import type { NoticeRow } from './store.ts'

const most = 200

/** Tells superusers of monitors that went down or recovered: once for all that did so together. */
export const noticesOfMonitors = ({ queries }: Pick<Uptime, 'queries'>) =>
  contribution(noticed, {
    name: 'uptime',
    kinds: [
      { name: 'monitor_down', title: 'A monitor is down' },
      { name: 'monitor_up', title: 'A monitor is up again' },
      { name: 'monitor_unstable', title: 'A monitor goes down and up again and again' },
    ],
    after: ['uptime_notices'],
    read: async (since) => (await queries.notices(since, most)).toReversed().map(noticeOf),
  })

const noticeOf = ({ id, event_type, title, message }: NoticeRow): Notice => ({
  kind: `monitor_${event_type}`,
  key: `uptime:${id}`,
  group: 'uptime',
  to: 'superusers',
  title,
  message,
  link: '/uptime',
})
