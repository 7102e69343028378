import { type Change, change } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import type { RecordSet } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { zoneName } from '../names.ts'
import { SyncZoneInvalid } from '../problems.ts'
import { findWritable, setsChange } from '../records/change.ts'
import { wantedSets } from '../records/sets.ts'
import { importZone, missingIn } from '../transfer.ts'
import { creation, deleteZone, newSets, ownKind } from '../zones.ts'
import type { BindImport, SyncedZone, SyncZoneApplied } from './model.ts'
import { syncReceived, type SyncReceivedRow } from './store.ts'

/** Sets a zone as another panel has it, or removes it; a change that was applied before is not applied again. */
export async function receiveZone(
  on: Authdns,
  draft: SyncedZone,
  now: Date,
): Promise<Change<SyncZoneApplied>> {
  const name = zoneName(draft.zone_name, 'zone_name')
  const before = await on.sync.receivedZone(name)
  if (before !== undefined && Number(before.change_id) >= draft.change_id) return nothing(name)
  const applied = await changeOf(on, name, draft, before)
  const values = {
    ...{ change_id: String(draft.change_id), serial: String(draft.serial ?? 0) },
    ...{ is_absent: draft.absent === true, received_at: now.toISOString() },
  }
  const row = syncReceived.row({ zone: name, ...values })
  return change({
    ...applied,
    rows: [
      ...applied.rows,
      before === undefined ? syncReceived.insert(row) : syncReceived.update(before, values),
    ],
  })
}

const nothing = (name: string): Change<SyncZoneApplied> =>
  change({
    summary: `Skip an applied change of the DNS zone ${name}`,
    reply: { success: true, applied: false, changed: 0 },
  })

async function changeOf(
  on: Authdns,
  name: string,
  { absent, rrsets = [] }: SyncedZone,
  before: SyncReceivedRow | undefined,
): Promise<Change<SyncZoneApplied>> {
  const facts = await on.tool.readZoneFacts(name)
  const reply = (changed: number) => ({ success: true as const, applied: true, changed })
  if (absent) {
    if (facts === undefined) return change({ summary: `Keep the DNS zone ${name} absent`, reply: reply(0) })
    if (before === undefined)
      throw SyncZoneInvalid(`zone_name: ${name} was not received from a panel, and is not removed by one`)
    return { ...(await deleteZone(on, name, false)), reply: reply(0) }
  }
  const sets = wantedSets(rrsets, name)
  if (sets.length === 0) throw SyncZoneInvalid('rrsets: must have the record sets of the zone')
  if (facts === undefined) {
    const created = { name, kind: await ownKind(on), masters: [], sets: newSets(name, [], sets) }
    return { ...creation(on, created), reply: reply(sets.length) }
  }
  const zone = await findWritable(on, name)
  const gone = await missingIn(on, name, sets)
  const changed = await setsChange(on, zone, {
    sets: [...(await withoutSameSoa(on, name, sets)), ...gone],
    force: true,
  })
  return { ...changed, reply: reply(changed.steps.length === 0 ? 0 : sets.length) }
}

/** Each server counts serials of its own: an SOA that differs in nothing else is left as it is. */
async function withoutSameSoa(
  { tool }: Authdns,
  zone: string,
  sets: readonly RecordSet[],
): Promise<readonly RecordSet[]> {
  const present = (await tool.readNames(zone, [`${zone}.`])).find(({ type }) => type === 'SOA')
  const shown = present && shownSoa(present)
  return sets.filter((set) => set.type !== 'SOA' || shownSoa(set) !== shown)
}

const shownSoa = ({ ttl, records }: RecordSet): string =>
  `${ttl} ${records.map(({ content }) => content.toLowerCase().replace(/^(\S+ \S+) \d+/, '$1')).join()}`

/** Imports a zone file that another panel sends; creates the zone if it does not exist. */
export async function importBind(
  on: Authdns,
  { zone_name, bind_data }: BindImport,
): Promise<Change<{ success: true }>> {
  const imported = await importZone(on, zoneName(zone_name, 'zone_name'), { bind_data, force: true })
  return { ...imported, reply: success }
}
