import { contribution } from '../../core/point.ts'
import { type Notice, noticed } from '../notifications/index.ts'
import type { Uptime } from './parts.ts'

const most = 200
const toSuperusers: Notice['to'] = 'superusers'

/** Tells superusers of monitors that went down or recovered; unread ones are counted in one notification. */
export const noticesOfMonitors = ({ queries }: Pick<Uptime, 'queries'>) =>
  contribution(noticed, {
    name: 'uptime',
    kinds: [
      { name: 'monitor_down', title: 'A monitor is down' },
      { name: 'monitor_up', title: 'A monitor is up again' },
    ],
    after: ['uptime_states'],
    read: async (since) => (await queries.noticeable(since, most)).map(noticeOf),
  })

type Noticeable = Awaited<ReturnType<Uptime['queries']['noticeable']>>[number]

function noticeOf({
  monitor_id: id,
  name,
  target,
  is_down: isDown,
  down_at,
  recovered_at,
  last_error,
}: Noticeable) {
  const shared = { group: 'uptime', to: toSuperusers, link: '/uptime' }
  if (isDown === 1)
    return {
      ...shared,
      kind: 'monitor_down',
      key: `uptime-down:${id}:${down_at}`,
      title: `${name} is down`,
      message: `${target}: ${last_error}`,
    }
  const key = `uptime-up:${id}:${recovered_at}`
  return { ...shared, kind: 'monitor_up', key, title: `${name} is up again`, message: target }
}
