import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import type { RecordSet, Zone as FoundZone, ZoneFacts } from '../../tools/powerdns/index.ts'
import type { Authdns } from './context.ts'
import { forgottenRows } from './dnssec/key-rows.ts'
import { isServerAddress } from './replication/settings.ts'
import { smartRules } from './rules/store.ts'
import { zoneLock } from './locks.ts'
import type { Zone, ZoneDraft, ZoneItem } from './model.ts'
import { targetName, zoneName } from './names.ts'
import { ForceRequired, ZoneInvalid, ZoneNotFound, ZoneTaken } from './problems.ts'
import { assertAlone, assertServed, defaultTtl, wantedSets } from './records/sets.ts'

/** Lists the zones by name. */
export async function listZones({ tool }: Authdns): Promise<ZoneItem[]> {
  return (await tool.listZones()).map(shownFacts)
}

/** Reads a zone with its record sets. */
export async function readZone(on: Authdns, typed: string): Promise<Zone> {
  const zone = await findZone(on, typed)
  return { ...shownFacts(zone), rrsets: zone.sets.map(shownSet) }
}

/** Finds a zone with its record sets by the name that a path contains. */
export async function findZone({ tool }: Authdns, typed: string): Promise<FoundZone> {
  const name = zoneName(typed, 'zone')
  const zone = await tool.readZone(name)
  if (zone === undefined) throw ZoneNotFound(`zone: PowerDNS has no zone ${name}`)
  return zone
}

/** Finds a zone without its record sets. */
export async function findZoneFacts({ tool }: Authdns, typed: string): Promise<ZoneFacts> {
  const name = zoneName(typed, 'zone')
  const zone = await tool.readZoneFacts(name)
  if (zone === undefined) throw ZoneNotFound(`zone: PowerDNS has no zone ${name}`)
  return zone
}

/** Creates a zone with its SOA, its name servers and further record sets. */
export async function createZone(on: Authdns, draft: ZoneDraft): Promise<Change<ZoneItem>> {
  const name = zoneName(draft.name)
  const { kind = await ownKind(on), masters = [], nameservers = [], rrsets = [] } = draft
  if ((await on.tool.readZoneFacts(name)) !== undefined)
    throw ZoneTaken(`name: PowerDNS has the zone ${name}`)
  if (kind === 'Slave' && masters.length === 0)
    throw ZoneInvalid('masters: a secondary zone needs the address of a server that it is transferred from')
  if (kind !== 'Slave' && masters.length > 0)
    throw ZoneInvalid('masters: only a secondary zone (Slave) has them')
  const wrong = masters.findIndex((master) => !isServerAddress(master))
  if (wrong !== -1)
    throw ZoneInvalid(`masters[${wrong}]: must be an IP address, such as 192.0.2.1 or 192.0.2.1:5300`)
  const sets = kind === 'Slave' ? [] : newSets(name, nameservers, wantedSets(rrsets, name))
  return creation(on, { name, kind, masters, sets })
}

/** The kind of a zone that is kept here: Master where secondaries transfer the zones of this server. */
export const ownKind = async ({ replication }: Authdns): Promise<'Native' | 'Master'> =>
  (await replication.find())?.role === 'master' ? 'Master' : 'Native'

interface NewZone {
  readonly name: string
  readonly kind: string
  readonly masters: readonly string[]
  readonly sets: readonly RecordSet[]
}

/** The change that creates a zone with these record sets. */
export function creation({ tool }: Authdns, { name, kind, masters, sets }: NewZone): Change<ZoneItem> {
  assertAlone(sets)
  return change({
    summary: `Create the DNS zone ${name}`,
    locks: [zoneLock(name)],
    steps: [step(tool.steps.setZone, { name, content: { kind, masters, sets } })],
    reply: { name, kind, serial: 0, dnssec: false, masters: [...masters] },
  })
}

/** Adds the SOA and the name servers that a new zone needs, unless they are given. */
export function newSets(
  zone: string,
  nameservers: readonly string[],
  sets: readonly RecordSet[],
): readonly RecordSet[] {
  assertServed(zone, sets)
  const apex = `${zone}.`
  const servers = nameservers.map((server, at) => targetName(server, zone, `nameservers[${at}]`))
  const named = servers.length > 0 ? servers : [`ns1.${apex}`]
  const has = (type: string) => sets.some((set) => set.name === apex && set.type === type)
  const made = (type: string, contents: readonly string[]): readonly RecordSet[] =>
    has(type)
      ? []
      : [
          {
            ...{ name: apex, type, ttl: defaultTtl },
            records: contents.map((content) => ({ content, disabled: false })),
          },
        ]
  const soa = `${named[0]} hostmaster.${apex} 0 10800 3600 604800 3600`
  return [
    ...made('SOA', [soa]),
    ...made('NS', [...new Set(named)]),
    ...sets.filter(({ records }) => records.length > 0),
  ]
}

/** Removes a zone with its records and smart rules; a signed one only with `force`. */
export async function deleteZone(
  on: Authdns,
  typed: string,
  force: boolean,
): Promise<Change<{ success: true }>> {
  const { name, dnssec } = await findZoneFacts(on, typed)
  if (dnssec && !force)
    throw ForceRequired(
      `force: ${name} is signed: while its parent has its DS, no resolver that validates takes answers of another server`,
    )
  return change({
    summary: `Remove the DNS zone ${name}`,
    locks: [zoneLock(name)],
    steps: [step(on.tool.steps.setZone, { name, content: null })],
    rows: [
      ...(await forgottenRows(on, name)),
      ...(await on.rules.ofZone(name)).map(({ id }) => smartRules.delete({ id })),
    ],
    ...(dnssec && { details: ['Its keys are removed too, and are not restored by an undo'] }),
    reply: success,
  })
}

const shownFacts = ({ name, kind, serial, dnssec, masters }: ZoneFacts): ZoneItem => ({
  name,
  kind,
  serial,
  dnssec,
  masters: [...masters],
})

const shownSet = ({ name, type, ttl, records }: RecordSet) => ({
  name,
  type,
  ttl,
  records: records.map((record) => ({ ...record })),
})
