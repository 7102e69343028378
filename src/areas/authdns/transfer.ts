import { type Change, change } from '../../core/change.ts'
import { keyOf, type RecordSet } from '../../tools/powerdns/index.ts'
import type { Authdns } from './context.ts'
import type { ZoneChanged, ZoneExport, ZoneImport } from './model.ts'
import { zoneName } from './names.ts'
import { ZoneFileInvalid } from './problems.ts'
import { findWritable, setsChange } from './records/change.ts'
import { readZoneFile } from './zone-file/read.ts'
import { writeZoneFile } from './zone-file/write.ts'
import { creation, findZone, newSets, ownKind } from './zones.ts'

/** Returns a zone as a zone file. */
export async function exportZone(on: Authdns, typed: string): Promise<ZoneExport> {
  const { name, sets } = await findZone(on, typed)
  return { name, bind_data: writeZoneFile(name, sets) }
}

/** Sets the record sets of a zone file in a zone, which is created if it does not exist. */
export async function importZone(
  on: Authdns,
  typed: string,
  { bind_data, replace = false, force }: ZoneImport & { readonly force: boolean },
): Promise<Change<ZoneChanged>> {
  const name = zoneName(typed, 'zone')
  const sets = readZoneFile(bind_data, name)
  if (sets.length === 0) throw ZoneFileInvalid('bind_data: has no records')
  if ((await on.tool.readZoneFacts(name)) === undefined) return creationOf(on, name, sets)
  const zone = await findWritable(on, name)
  const gone = replace ? await missingIn(on, name, sets) : []
  return setsChange(on, zone, { sets: [...sets, ...gone], force })
}

async function creationOf(
  on: Authdns,
  name: string,
  read: readonly RecordSet[],
): Promise<Change<ZoneChanged>> {
  const sets = newSets(name, [], read)
  const { reply: _zone, ...rest } = creation(on, { name, kind: await ownKind(on), masters: [], sets })
  return change({ ...rest, reply: { success: true, changed: sets.length } })
}

/** The sets of the zone that the file does not have, as sets without records; a zone keeps its SOA and name servers. */
export async function missingIn(
  on: Authdns,
  zone: string,
  sets: readonly RecordSet[],
): Promise<readonly RecordSet[]> {
  const kept = new Set([
    ...sets.map(keyOf),
    ...['SOA', 'NS'].map((type) => keyOf({ name: `${zone}.`, type })),
  ])
  const { sets: present } = await findZone(on, zone)
  return present.filter((set) => !kept.has(keyOf(set))).map((set) => ({ ...set, records: [] }))
}
