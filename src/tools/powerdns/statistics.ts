import Type from 'typebox'
import { parserOf, type PowerdnsApi } from './api.ts'

const parseStatistics = parserOf(
  Type.Array(Type.Object({ name: Type.String(), type: Type.String(), value: Type.Unknown() })),
)
const parseServer = parserOf(Type.Object({ version: Type.String(), daemon_type: Type.String() }))

/** Reads the counters of PowerDNS since its start, by name. */
export async function readStatistics(api: PowerdnsApi): Promise<Readonly<Record<string, number>>> {
  const items = parseStatistics((await api.read('/statistics?includerings=false')) ?? [])
  const counters = items.filter(({ type }) => type === 'StatisticItem')
  return Object.fromEntries(counters.map(({ name, value }) => [name, Number(value)]))
}

/** Reads the version of the running server. */
export const readVersion = async (api: PowerdnsApi): Promise<string> =>
  parseServer(await api.readServer()).version
