import { type Change, change, step } from '../../../core/change.ts'
import { isSame } from '../../../core/steps.ts'
import { keyOf, type RecordSet, type ZoneFacts } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { zoneLock } from '../locks.ts'
import type { RecordSetDraft, SimpleRecord, SimpleRemoval, ZoneChanged } from '../model.ts'
import { recordName } from '../names.ts'
import { ForceRequired, RecordInvalid, RecordNotFound, ZoneInvalid } from '../problems.ts'
import { findZoneFacts } from '../zones.ts'
import { assertAlone, assertServed, defaultTtl, isApex, presentKey, wantedSets } from './sets.ts'
import { recordContent } from './types.ts'

/** Replaces and removes several record sets of a zone at once. */
export async function patchRecords(
  on: Authdns,
  typed: string,
  { rrsets, force }: { readonly rrsets: readonly RecordSetDraft[]; readonly force: boolean },
): Promise<Change<ZoneChanged>> {
  const zone = await findWritable(on, typed)
  return setsChange(on, zone, { sets: wantedSets(rrsets, zone.name), force })
}

/** Adds one record to its set. */
export async function addRecord(
  on: Authdns,
  typed: string,
  { name: typedName, type: typedType, content: typedContent, ttl }: SimpleRecord,
  force: boolean,
): Promise<Change<ZoneChanged>> {
  const zone = await findWritable(on, typed)
  const { name, type, present } = await setNamed(on, zone, { name: typedName, type: typedType })
  const content = recordContent(type, typedContent, { zone: zone.name, field: 'content' })
  const key = presentKey(type, content, zone.name)
  const others = (present?.records ?? []).filter((one) => presentKey(type, one.content, zone.name) !== key)
  if ((type === 'CNAME' || type === 'DNAME' || type === 'SOA') && others.length > 0)
    throw RecordInvalid(`name: ${name} has a ${type} already: remove it first`)
  const set = { name, type, ttl: ttl ?? present?.ttl ?? defaultTtl }
  return setsChange(on, zone, {
    sets: [{ ...set, records: [...others, { content, disabled: false }] }],
    force,
  })
}

/** Removes one record from its set, or the whole set. */
export async function removeRecord(
  on: Authdns,
  typed: string,
  { content: typedContent, ...named }: SimpleRemoval,
  force: boolean,
): Promise<Change<ZoneChanged>> {
  const zone = await findWritable(on, typed)
  const { name, type, present } = await setNamed(on, zone, named)
  // an empty content is refused: it does not name the whole set
  const content =
    typedContent === undefined
      ? undefined
      : recordContent(type, typedContent, { zone: zone.name, field: 'content' })
  const key = content === undefined ? undefined : presentKey(type, content, zone.name)
  const gone = (one: { readonly content: string }) =>
    key === undefined || presentKey(type, one.content, zone.name) === key
  if (present === undefined || !present.records.some(gone))
    throw RecordNotFound(`name: ${zone.name} has no such record: ${name} ${type} ${content ?? ''}`.trim())
  const records = present.records.filter((one) => !gone(one))
  return setsChange(on, zone, { sets: [{ ...present, records }], force })
}

async function setNamed(on: Authdns, zone: ZoneFacts, key: { readonly name: string; readonly type: string }) {
  const name = recordName(key.name, zone.name)
  const type = key.type.toUpperCase()
  const present = (await on.tool.readNames(zone.name, [name])).find((set) => set.type === type)
  return { name, type, present }
}

/** Finds a zone whose records are edited here. */
export async function findWritable(on: Authdns, typed: string): Promise<ZoneFacts> {
  const zone = await findZoneFacts(on, typed)
  if (zone.kind === 'Slave')
    throw ZoneInvalid(
      `zone: the records of ${zone.name} come from ${zone.masters.join(', ')}: change them there`,
    )
  return zone
}

interface Wanted {
  /** A set without records is removed. */
  readonly sets: readonly RecordSet[]
  readonly force: boolean
}

/** The change that sets record sets of a zone; those that are so already are left out. */
export async function setsChange(
  on: Authdns,
  { name: zone }: ZoneFacts,
  { sets, force }: Wanted,
): Promise<Change<ZoneChanged>> {
  const { tool } = on
  const present = await tool.readNames(zone, [...new Set(sets.map(({ name }) => name))])
  const before = new Map(present.map((set) => [keyOf(set), set]))
  const changed = sets.filter((set) => differs(zone, set, before.get(keyOf(set))))
  assertAlone([...new Map([...before, ...sets.map((set) => [keyOf(set), set] as const)]).values()])
  const replaced = changed.filter((set) => before.has(keyOf(set)))
  assertServed(zone, changed)
  if (!force) await assertHarmless(on, zone, { changed, replaced })
  return change({
    summary: `Change records of the DNS zone ${zone}`,
    locks: [zoneLock(zone)],
    steps: changed.length === 0 ? [] : [step(tool.steps.setRecords, { zone, sets: changed })],
    reply: { success: true, changed: changed.length },
  })
}

function differs(zone: string, set: RecordSet, present: RecordSet | undefined): boolean {
  if (present === undefined) return set.records.length > 0
  const { type } = set
  // a wanted set may have records of the present one, in the form that others have written
  const shown = ({ ttl, records }: RecordSet) => ({
    ttl,
    records: records
      .map(({ content, disabled }) => `${presentKey(type, content, zone)} ${disabled}`)
      .toSorted(),
  })
  return !isSame(shown(set), shown(present))
}

const smallZone = 10
const largestShare = 0.3

async function assertHarmless(
  on: Authdns,
  zone: string,
  { changed, replaced }: { readonly changed: readonly RecordSet[]; readonly replaced: readonly RecordSet[] },
): Promise<void> {
  const apex = changed.find((set) => isApex(set, zone))
  if (apex !== undefined) throw ForceRequired(`force: it changes the ${apex.type} records of the zone itself`)
  // fewer sets are no such part of a zone of ten: it need not be read
  if (replaced.length <= smallZone * largestShare) return
  const count = (await on.tool.readZone(zone))?.sets.length ?? 0
  if (count >= smallZone && replaced.length > count * largestShare)
    throw ForceRequired(
      `force: it changes or removes ${replaced.length} of ${count} record sets, which is more than 30 %`,
    )
}
