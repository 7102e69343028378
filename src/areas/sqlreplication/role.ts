import { randomInt } from 'node:crypto'
import { type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { isSameValue, type Options, ownCertificate } from '../../tools/mariadb/index.ts'
import { programLock } from '../../tools/program.ts'
import type { SqlReplication } from './context.ts'
import type { Peer } from './peer.ts'
import { NotReplica } from './problems.ts'
import type { RoleRow } from './store.ts'

/** Excludes installing, starting and stopping the server, and every other change of its replication. */
export const serverLock = programLock('mariadb')

type Values = ReadonlyMap<string, string>

/** Returns the options with which the server starts; throws if it is not installed. */
export async function readOptions({ tool }: Pick<SqlReplication, 'tool'>): Promise<Values> {
  const { present, reason } = await tool.detect()
  if (!present) throw Unavailable(reason ?? undefined)
  return tool.readOptions()
}

/** The id that the server has, or a random one in place of the default that every server has. */
export function serverIdIn(values: Values): number {
  const configured = Number(values.get('server_id'))
  return configured > 1 ? configured : randomInt(1000, 2_000_000_000)
}

const isOn = (values: Values, name: string): boolean => isSameValue(values.get(name) ?? '', 'ON')

/** The options of every server that takes part: a replica logs too, so that it can become a primary. */
export const sharedOptions = (values: Values, serverId: number): Options => ({
  server_id: String(serverId),
  ...(values.get('log_bin') === '' && { log_bin: 'hostreeve-bin' }),
  gtid_strict_mode: 'ON',
  log_slave_updates: 'ON',
})

/** The further options of a primary: it listens for other hosts, and encrypts. */
export const primaryOptions = (values: Values): Options => ({
  ...(/^(?:127\.[\d.]+|::1|localhost)$/.test(values.get('bind_address') ?? '') && { bind_address: '*' }),
  ...(isOn(values, 'skip_networking') && { skip_networking: 'OFF' }),
  ...((values.get('ssl_cert') ?? '') === '' && {
    ssl_cert: ownCertificate.cert,
    ssl_key: ownCertificate.key,
  }),
})

/** The step that sets options, without those that the server reads already; none if it reads all of them. */
export function setting({ tool }: SqlReplication, values: Values, wanted: Options): readonly Step[] {
  const options = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value === null || !isSameValue(values.get(name) ?? '', value),
    ),
  )
  return Object.keys(options).length === 0 ? [] : [step(tool.steps.setOptions, { options })]
}

/** The file with the certificate by which the server proves itself. */
export const certificatePathIn = (values: Values): string =>
  values.get('ssl_ca') || values.get('ssl_cert') || ownCertificate.cert

/** Returns the row of a replica; throws if this server is none. */
export async function loadReplica({ queries }: SqlReplication): Promise<RoleRow> {
  const row = await queries.role()
  if (row?.role !== 'replica') throw NotReplica()
  return row
}

/** The panel of the primary. */
export const peerOf = ({ store }: SqlReplication, { url, pin, sealed_key }: RoleRow): Peer => ({
  url,
  pin,
  key: store.unseal(sealed_key),
})
