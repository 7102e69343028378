import Type, { type Static } from 'typebox'
import { parserOf, type PowerdnsApi, zonePath } from './api.ts'

const ApiRecord = Type.Object({ content: Type.String(), disabled: Type.Optional(Type.Boolean()) })
const ApiSet = Type.Object({
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  records: Type.Array(ApiRecord),
})
const ApiZoneFacts = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  serial: Type.Integer(),
  dnssec: Type.Boolean(),
  masters: Type.Optional(Type.Array(Type.String())),
  last_check: Type.Optional(Type.Integer()),
})
const ApiZone = Type.Object({
  ...ApiZoneFacts.properties,
  rrsets: Type.Array(ApiSet),
})
const parseZone = parserOf(ApiZone)
const parseZones = parserOf(Type.Array(ApiZoneFacts))

/** A zone without its records. Names have no final dot. */
export interface ZoneFacts {
  readonly name: string
  readonly kind: string
  readonly serial: number
  readonly dnssec: boolean
  readonly masters: readonly string[]
}

export interface DnsRecord {
  readonly content: string
  readonly disabled: boolean
}

/** The name of a record set, absolute and with a final dot, and its type. */
export interface SetKey {
  readonly name: string
  readonly type: string
}

export interface RecordSet extends SetKey {
  readonly ttl: number
  readonly records: readonly DnsRecord[]
}

export interface Zone extends ZoneFacts {
  readonly sets: readonly RecordSet[]
}

/** Lists the zones by name. */
export async function listZones(api: PowerdnsApi): Promise<readonly ZoneFacts[]> {
  const zones = parseZones((await api.read('/zones?dnssec=true')) ?? [])
  return zones.map(factsOf).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Reads a zone with its record sets; undefined if PowerDNS does not have it. */
export async function readZone(api: PowerdnsApi, name: string): Promise<Zone | undefined> {
  const body = await api.read(zonePath(name))
  if (body === undefined) return undefined
  const zone = parseZone(body)
  return { ...factsOf(zone), sets: zone.rrsets.map(setOf) }
}

/** Reads a zone without its record sets. */
export async function readZoneFacts(api: PowerdnsApi, name: string): Promise<ZoneFacts | undefined> {
  const body = await api.read(`${zonePath(name)}?rrsets=false`)
  return body === undefined ? undefined : factsOf(parserOf(ApiZoneFacts)(body))
}

/** More names than this are read with the whole zone. */
const mostSingleReads = 50

/** Reads all record sets at the names, which are absolute and have a final dot. */
export async function readNames(
  api: PowerdnsApi,
  zone: string,
  names: readonly string[],
): Promise<readonly RecordSet[]> {
  const wanted = new Set(names)
  if (wanted.size > mostSingleReads)
    return ((await readZone(api, zone))?.sets ?? []).filter(({ name }) => wanted.has(name))
  const found: RecordSet[] = []
  for (const name of wanted) {
    const body = await api.read(`${zonePath(zone)}?${new URLSearchParams({ rrset_name: name })}`)
    if (body !== undefined) found.push(...parseZone(body).rrsets.map(setOf))
  }
  return found.filter(({ name }) => wanted.has(name))
}

/** Reads those of the named sets that exist. */
export async function readSets(
  api: PowerdnsApi,
  zone: string,
  keys: readonly SetKey[],
): Promise<readonly RecordSet[]> {
  const wanted = new Set(keys.map(keyOf))
  const names = keys.map(({ name }) => name)
  return (await readNames(api, zone, names)).filter((set) => wanted.has(keyOf(set)))
}

export const keyOf = ({ name, type }: SetKey): string => `${name} ${type}`

const factsOf = ({ name, kind, serial, dnssec, masters = [] }: Static<typeof ApiZoneFacts>): ZoneFacts => ({
  name: name.replace(/(?<=.)\.$/, ''),
  kind,
  serial,
  dnssec,
  masters,
})

const setOf = ({ name, type, ttl, records }: Static<typeof ApiSet>): RecordSet => ({
  name,
  type,
  ttl,
  records: records
    .map(({ content, disabled = false }) => ({ content, disabled }))
    .toSorted((one, other) => (one.content < other.content ? -1 : 1)),
})
