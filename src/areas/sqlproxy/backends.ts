import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { type AdminRow, groupOf, keyOf, type PoolRow } from '../../tools/proxysql/index.ts'
import type { Sqlproxy } from './context.ts'
import { proxyLock } from './locks.ts'
import type {
  BackendDraft,
  BackendEdit,
  BackendKey,
  BackendLimit,
  BackendReset,
  MonitorState,
  SqlproxyBackend,
} from './model.ts'
import { monitorAt } from './monitor.ts'
import { BackendInvalid, BackendTaken, BackendUnknown } from './problems.ts'

type Changed = Promise<Change<{ success: true }>>

/** Lists the servers in the running proxy, with the state of their connections. */
export async function listBackends({ tool }: Sqlproxy): Promise<SqlproxyBackend[]> {
  const rows = Object.values(await tool.readMemory('servers'))
  const pool = new Map((await tool.readPool()).map((each) => [keyOfPool(each), each]))
  const reasons = await tool.readPingErrors()
  return rows
    .map((row) => {
      const { hostname = '', port = '3306', status = 'ONLINE', comment = '' } = row
      const live = pool.get(keyOf(servers, row))
      return {
        hostgroup_id: Number(row['hostgroup_id']),
        ...{ hostname, port: Number(port), comment },
        status: live?.status ?? status,
        weight: Number(row['weight'] ?? 1),
        max_connections: Number(row['max_connections'] ?? 1000),
        connections_used: live?.used ?? 0,
        connections_free: live?.free ?? 0,
        connections_failed: live?.failed ?? 0,
        queries: live?.queries ?? 0,
        latency_us: live?.latencyUs ?? 0,
        reason: reasons.get(`${hostname}:${port}`) ?? null,
      }
    })
    .toSorted(
      (one, other) => one.hostgroup_id - other.hostgroup_id || (one.hostname < other.hostname ? -1 : 1),
    )
}

const servers = groupOf('servers')
const keyOfPool = ({ hostgroupId, hostname, port }: PoolRow) => `${hostgroupId} ${hostname} ${port}`

/** Adds a server to a hostgroup; on this host, with the account by which the proxy checks it. */
export async function addBackend(on: Sqlproxy, draft: BackendDraft): Promise<Change<MonitorState>> {
  const { tool } = on
  const { hostgroup_id, hostname, weight = 1, max_connections, comment = '' } = draft
  const port = portOf(draft)
  if (!isServerHost(hostname))
    throw BackendInvalid(`hostname: ${hostname} is neither a host name nor an address such as 192.0.2.10`)
  const row = {
    ...{ hostgroup_id: String(hostgroup_id), hostname, port: String(port), comment },
    ...{ weight: String(weight), max_connections: String(max_connections) },
  }
  const rows = await tool.readMemory('servers')
  if (rows[keyOf(servers, row)] !== undefined)
    throw BackendTaken(`hostname: ${nameOf(draft)} is in hostgroup ${hostgroup_id} already`)
  const monitor = await monitorAt(on, { hostname, port })
  return change({
    summary: `Add the server ${nameOf(draft)} to hostgroup ${hostgroup_id} of the SQL proxy`,
    locks: [proxyLock],
    steps: [step(tool.steps.setRows, { group: 'servers' as const, put: [row] }), ...monitor.steps],
    reply: { success: true, monitor: monitor.state },
  })
}

/** Digits and dots alone are an address: resolvers read `192.0.2` as 192.0.0.2. */
const isServerHost = (text: string): boolean =>
  /^[\d.]+$|:/.test(text) ? isAddress(text) : text.split('.').every((label) => label !== '')

/** Removes a server from all hostgroups. */
export async function removeBackend(on: Sqlproxy, key: BackendKey): Changed {
  const rows = await rowsOf(on, key)
  const remove = rows.map((row) => keyOf(servers, row))
  return changing(on, `Remove the server ${nameOf(key)} from the SQL proxy`, { remove })
}

/** Changes a server. One that is in several hostgroups is changed in that of the request. */
export async function updateBackend(on: Sqlproxy, edit: BackendEdit): Changed {
  const { hostgroup_id, weight, max_connections, comment } = edit
  const rows = await rowsOf(on, edit)
  const inGroup = rows.filter((row) => row['hostgroup_id'] === String(hostgroup_id))
  const changed = hostgroup_id === undefined || rows.length === 1 ? rows : inGroup
  if (changed.length === 0)
    throw BackendUnknown(`hostgroup_id: ${nameOf(edit)} is in several hostgroups, and not in ${hostgroup_id}`)
  const put = changed.map((row) => ({
    ...row,
    ...(hostgroup_id !== undefined && { hostgroup_id: String(hostgroup_id) }),
    ...(weight !== undefined && { weight: String(weight) }),
    ...(comment !== undefined && { comment }),
    max_connections: String(max_connections),
  }))
  return changing(on, `Change the server ${nameOf(edit)} of the SQL proxy`, replacing(changed, put))
}

/** Sets how many connections the proxy opens to a server, in all its hostgroups. */
export async function limitBackend(on: Sqlproxy, limit: BackendLimit): Changed {
  const rows = await rowsOf(on, limit)
  const put = rows.map((row) => ({ ...row, max_connections: String(limit.max_connections) }))
  return changing(on, `Set the connections to the server ${nameOf(limit)} of the SQL proxy`, { put })
}

/** Writes the row of a server again with these values alone: it is online, and in one hostgroup. */
export async function resetBackend(on: Sqlproxy, reset: BackendReset): Changed {
  const rows = await rowsOf(on, reset)
  const [{ hostgroup_id: former = '0' } = {}] = rows
  const row = {
    hostgroup_id: String(reset.hostgroup_id ?? former),
    hostname: reset.hostname,
    port: String(portOf(reset)),
    weight: String(reset.weight ?? 1),
    max_connections: String(reset.max_connections),
  }
  return changing(on, `Reset the server ${nameOf(reset)} of the SQL proxy`, replacing(rows, [row]))
}

const portOf = ({ port }: BackendKey): number => (port === 0 ? 3306 : port)
const nameOf = (key: BackendKey): string =>
  `${key.hostname.includes(':') ? `[${key.hostname}]` : key.hostname}:${portOf(key)}`

async function rowsOf({ tool }: Sqlproxy, key: BackendKey): Promise<readonly AdminRow[]> {
  const rows = Object.values(await tool.readMemory('servers')).filter(
    (row) => row['hostname'] === key.hostname && row['port'] === String(portOf(key)),
  )
  if (rows.length === 0) throw BackendUnknown(`hostname: the proxy has no server ${nameOf(key)}`)
  return rows
}

/** Puts rows, and removes those of the former keys that they no longer have. */
function replacing(former: readonly AdminRow[], put: readonly AdminRow[]): Rows {
  const kept = new Set(put.map((row) => keyOf(servers, row)))
  return { put, remove: former.map((row) => keyOf(servers, row)).filter((key) => !kept.has(key)) }
}

interface Rows {
  readonly put?: readonly AdminRow[]
  readonly remove?: readonly string[]
}

async function changing({ tool }: Sqlproxy, summary: string, rows: Rows): Changed {
  const steps = [step(tool.steps.setRows, { group: 'servers' as const, ...rows })]
  return change({ summary, locks: [proxyLock], steps, reply: success })
}
