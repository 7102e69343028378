import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { type TileContent, tiles } from '../dashboard/index.ts'
import { listBackends } from './backends.ts'
import { listCertificates } from './certificates.ts'
import type { Lbproxy } from './context.ts'
import type { Backend, StoredCertificate } from './model.ts'
import { readStatus } from './program.ts'

const guard = permission('administrative_operations')
const soonMs = 30 * 24 * 3_600_000

/** HAProxy and its certificates on the dashboard; nothing where it is not installed. */
export const onDashboard = (on: Lbproxy) => [
  contribution(tiles, {
    name: 'lbproxy',
    title: 'Load balancer',
    link: '/lbproxy',
    guard,
    read: async () => {
      const status = await readStatus(on)
      return status.installed ? balancerTile(status, await listBackends(on)) : undefined
    },
  }),
  contribution(tiles, {
    name: 'lbproxy-certificates',
    title: 'Certificates of the load balancer',
    link: '/lbproxy/certificates',
    guard,
    read: async ({ now }) => {
      if (!(await on.haproxy.detect()).present) return undefined
      const all = await listCertificates(on, now)
      return all.length === 0 ? undefined : certificatesTile(all, now)
    },
  }),
]

function balancerTile(
  { running, version, failed_reloads: failed }: Awaited<ReturnType<typeof readStatus>>,
  backends: readonly Backend[],
): TileContent {
  const down = backends.flatMap(({ name, servers }) =>
    servers
      .filter(({ status }) => status.startsWith('DOWN'))
      .map((server) => ({ title: `${name}/${server.name}`, detail: server.address, state: 'down' })),
  )
  if (!running) return { state: backends.length > 0 ? 'failing' : 'none', summary: 'HAProxy does not run' }
  const reloads = failed === 0 ? '' : `; ${failed} ${failed === 1 ? 'reload' : 'reloads'} failed`
  const servers =
    down.length === 0 ? '' : `; ${down.length} ${down.length === 1 ? 'server is' : 'servers are'} down`
  return {
    state: down.length > 0 ? 'failing' : failed > 0 ? 'attention' : 'ok',
    summary: `HAProxy ${version ?? ''} runs${reloads}${servers}`,
    items: down.map((each) => ({ ...each, link: '/lbproxy' })),
  }
}

/** Those that expire within 30 days, the soonest first. */
function certificatesTile(all: readonly StoredCertificate[], now: Date): TileContent {
  const soon = all
    .filter(({ valid_to: end }) => Date.parse(end) - now.getTime() < soonMs)
    .toSorted((one, other) => Date.parse(one.valid_to) - Date.parse(other.valid_to))
  const expired = soon.filter((each) => each.expired)
  return {
    state: expired.length > 0 ? 'failing' : soon.length > 0 ? 'attention' : 'ok',
    summary:
      soon.length === 0
        ? `None of ${all.length} expires within 30 days`
        : `${soon.length} of ${all.length} expired or will expire within 30 days`,
    items: soon.map(({ domain, problem = '', valid_to, expired: isOver }) => ({
      title: domain,
      detail: problem,
      link: '/lbproxy/certificates',
      state: isOver ? 'expired' : 'expiring',
      time: problem === '' ? valid_to : null,
    })),
  }
}
