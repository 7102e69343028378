import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { processOnPort } from '../../host/port-process.ts'
import { isSameValue, type Options, optionsPath } from '../../tools/mariadb/index.ts'
import type { Sqldb } from './context.ts'
import { serverLock } from './install.ts'
import type { SqldbSettings } from './model.ts'
import { PortHeld } from './problems.ts'

type Values = ReadonlyMap<string, string>

const names = ['max_connections', 'port', 'read_only', 'bind_address', 'skip_networking'] as const

/** Reads the settings as the server takes them from all of its files. */
export async function readSettings(on: Sqldb): Promise<SqldbSettings> {
  const values = await readOptions(on)
  const running = (await on.tool.isRunning()) ? await on.tool.readRunning(names) : undefined
  const differing = names.filter((name) => {
    const [configured = '', now] = [values.get(name), running?.get(name)]
    return now !== undefined && !isSameValue(configured, now)
  })
  return {
    path: optionsPath,
    max_connections: Number(values.get('max_connections')),
    port: Number(values.get('port')) || 3306,
    read_only: isOn(values, 'read_only'),
    remote: isRemote(values),
    bind_address: values.get('bind_address') ?? '',
    running: running !== undefined,
    not_in_effect: differing,
  }
}

/** Returns the options with which the server starts; throws if it is not installed. */
export async function readOptions({ tool }: Pick<Sqldb, 'tool'>): Promise<Values> {
  const { present, reason } = await tool.detect()
  if (!present) throw Unavailable(reason ?? undefined)
  return tool.readOptions()
}

const isOn = (values: Values, name: string): boolean => isSameValue(values.get(name) ?? '', 'ON')

/** True if the server listens at an address that other hosts can reach. */
const isRemote = (values: Values): boolean =>
  !isOn(values, 'skip_networking') &&
  !/^(?:127\.[\d.]+|::1|localhost)$/.test(values.get('bind_address') ?? '')

/** Sets how many connections the server accepts at a time. */
export const setMaxConnections = (on: Sqldb, count: number) =>
  changeOptions(on, `Accept ${count} connections to the SQL server`, () => ({
    max_connections: String(count),
  }))

/** Sets the port of the server; one on which another program listens is refused. */
export async function setPort(on: Sqldb, port: number): Promise<Change<{ success: true }>> {
  const holder = await processOnPort(port)
  if (holder !== null && holder.name !== serverProcess)
    throw PortHeld(`port: ${port} is used by ${holder.name} (process ${holder.pid}): choose a free port`, {
      fields: { port, process: holder.name, pid: holder.pid },
    })
  return changeOptions(on, `Move the SQL server to port ${port}`, () => ({ port: String(port) }))
}

const serverProcess = 'mariadbd'

/** Sets whether clients without the right READ ONLY ADMIN may change data. */
export const setReadOnly = (on: Sqldb, isReadOnly: boolean) =>
  changeOptions(on, `${isReadOnly ? 'Refuse' : 'Accept'} changes of data on the SQL server`, () => ({
    read_only: isReadOnly ? 'ON' : 'OFF',
  }))

/** Sets whether the server listens at all addresses of the host, or for the host alone. */
export const setRemote = (on: Sqldb, remote: boolean) =>
  changeOptions(
    on,
    remote ? 'Let the SQL server listen for other hosts' : 'Let the SQL server listen for this host alone',
    (values) => {
      if (remote === isRemote(values)) return {}
      return {
        bind_address: remote ? '*' : '127.0.0.1',
        ...(isOn(values, 'skip_networking') && { skip_networking: 'OFF' }),
      }
    },
  )

/** Plans new values of options; those that the server reads already are left out. */
export async function changeOptions(
  on: Sqldb,
  summary: string,
  wanted: (values: Values) => Options,
): Promise<Change<{ success: true }>> {
  const values = await readOptions(on)
  const options = Object.fromEntries(
    Object.entries(wanted(values)).filter(
      ([name, value]) => value === null || !isSameValue(values.get(name) ?? '', value),
    ),
  )
  return change({
    summary,
    locks: [serverLock],
    steps: Object.keys(options).length === 0 ? [] : [step(on.tool.steps.setOptions, { options })],
    reply: success,
  })
}
