import { type Change, change, step, type Step } from '../../core/change.ts'
import { isMasked } from '../../core/secret.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import type { Sqlproxy } from './context.ts'
import { proxyLock } from './locks.ts'
import type { MonitorState, MonitorUser } from './model.ts'
import { MonitorInvalid } from './problems.ts'

interface Server {
  readonly hostname: string
  readonly port: number
}

interface Account {
  readonly username: string
  readonly password: string
}

interface Monitored {
  readonly state: MonitorState['monitor']
  readonly steps: readonly Step[]
}

/** Decides on the account by which the proxy checks a server, as its variables have it. */
export async function monitorAt(on: Sqlproxy, server: Server): Promise<Monitored> {
  const variables = await on.tool.readRunning('mysqlVariables')
  const valueOf = (name: string) => variables[`mysql-monitor_${name}`]?.['variable_value'] ?? ''
  const account = { username: valueOf('username'), password: valueOf('password') }
  if (account.username === '' || !(await isOfThisHost(on, [server]))) return { state: 'elsewhere', steps: [] }
  return accountOf(on, account, false)
}

/** Sets the account by which the proxy checks the servers, and creates it in the SQL server of this host if that is one of them. */
export async function setMonitorUser(
  on: Sqlproxy,
  { username, password }: MonitorUser,
): Promise<Change<MonitorState>> {
  const { tool } = on
  if (isMasked(password)) throw MonitorInvalid('password: is masked: enter it in full')
  const put = Object.entries({ username, password }).map(([name, value]) => ({
    variable_name: `mysql-monitor_${name}`,
    variable_value: value,
  }))
  const rows = Object.values(await tool.readMemory('servers'))
  const servers = rows.map((row) => ({ hostname: row['hostname'] ?? '', port: Number(row['port']) }))
  const { 'mysql-monitor_username': former } = await tool.readRunning('mysqlVariables')
  const isSame = former?.['variable_value'] === username
  const monitored: Monitored = (await isOfThisHost(on, servers))
    ? await accountOf(on, { username, password }, isSame)
    : { state: 'elsewhere', steps: [] }
  return change({
    summary: 'Set the monitor account of the SQL proxy',
    locks: [proxyLock],
    steps: [step(tool.steps.setRows, { group: 'mysqlVariables' as const, put }), ...monitored.steps],
    reply: { success: true, monitor: monitored.state },
  })
}

/** An account that is there belongs to someone, unless the proxy uses it already and it has no rights. */
async function accountOf(
  { mariadb }: Sqlproxy,
  { username, password }: Account,
  isOwn: boolean,
): Promise<Monitored> {
  const found = await mariadb.findAccounts(username)
  for (const each of found)
    if (!isOwn || each.host !== '%' || (await mariadb.hasRights(each))) return { state: 'kept', steps: [] }
  const account = { username, host: '%', database: null, hash: hashOf(password) }
  return {
    state: found.length > 0 ? 'kept' : 'created',
    steps: [step(mariadb.steps.setAccount, account)],
  }
}

const loopback = ['127.0.0.1', '::1', 'localhost']

/** True if one of the servers is the MariaDB of this host. */
async function isOfThisHost({ mariadb, keepalived }: Sqlproxy, servers: readonly Server[]): Promise<boolean> {
  if (servers.length === 0 || !(await mariadb.detect()).present || !(await mariadb.isRunning())) return false
  const { port } = await mariadb.readEndpoint()
  const own = new Set([...loopback, ...(await keepalived.listAddresses()).map(({ address }) => address)])
  return servers.some((server) => server.port === port && own.has(server.hostname))
}
