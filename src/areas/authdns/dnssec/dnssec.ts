import { type Change, change, step } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import { from } from '../../../core/returned.ts'
import { newSigningKey, type ZoneFacts } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { zoneLock } from '../locks.ts'
import { AlreadySigned, ForceRequired, NotSigned, ZoneInvalid } from '../problems.ts'
import { findZoneFacts } from '../zones.ts'
import type { Dnssec, DnssecEnabled } from './model.ts'
import { parentState, readParentDs } from './parent.ts'
import { findRolling, shownRollover } from './rolling.ts'
import { rollovers } from './store.ts'

/** Reads how a zone is signed, whether its parent has the DS, and how far the roll-over of its key is. */
export async function readDnssec(on: Authdns, typed: string, now: Date): Promise<Dnssec> {
  const { name } = await findZoneFacts(on, typed)
  const keys = await on.tool.readKeys(name)
  const signed = keys.some(({ active }) => active)
  const parent = await readParentDs(on, name)
  const rolling = await findRolling(on, name, keys)
  return {
    signed,
    ds: keys.flatMap(({ ds }) => ds),
    keys: keys.map(({ id, keytype, algorithm, flags, active, published, dnskey }) => ({
      ...{ id, keytype, algorithm, flags, active, published, dnskey },
    })),
    parent: parentState(parent),
    rollover: rolling === undefined ? null : shownRollover(rolling, parent, now),
  }
}

/** Signs a zone with a new combined key of algorithm 13. */
export async function enableDnssec(on: Authdns, typed: string): Promise<Change<DnssecEnabled>> {
  const zone = await findOwn(on, typed)
  if ((await on.tool.readKeys(zone.name)).length > 0)
    throw AlreadySigned(`zone: ${zone.name} has keys already: disable DNSSEC first`)
  const signing = step(on.tool.steps.setKeys, { zone: zone.name, keys: [newSigningKey().key] })
  return change({
    summary: `Sign the DNS zone ${zone.name}`,
    locks: [zoneLock(zone.name)],
    steps: [signing],
    details: ['The chain of trust is complete once the parent zone has the DS'],
    reply: { signed: true, ds: from(signing, 'ds') },
  })
}

/**
 * Removes the keys of a zone. While the parent has its DS, resolvers that validate would refuse every answer, so that needs
 * `force`, as does a parent that cannot be asked.
 */
export async function disableDnssec(
  on: Authdns,
  typed: string,
  force: boolean,
): Promise<Change<{ success: true }>> {
  const zone = await findOwn(on, typed)
  if ((await on.tool.readKeys(zone.name)).length === 0) throw NotSigned(`zone: ${zone.name} is not signed`)
  const parent = force ? 'absent' : parentState(await readParentDs(on, zone.name))
  if (parent !== 'absent') throw ForceRequired(reasonOf(parent, zone.name))
  return change({
    summary: `Remove the signatures of the DNS zone ${zone.name}`,
    locks: [zoneLock(zone.name)],
    steps: [step(on.tool.steps.setKeys, { zone: zone.name, keys: [] })],
    rows: await rolloverRows(on, zone.name),
    details: [
      'Resolvers keep a DS for its time to live, a day at most registries: remove it that long before',
    ],
    reply: success,
  })
}

const reasonOf = (parent: 'published' | 'unknown', zone: string): string =>
  parent === 'published'
    ? `force: the parent of ${zone} has its DS: have the registrar remove it, wait for its time to live, then disable DNSSEC`
    : `force: whether the parent of ${zone} has its DS cannot be found out: remove it there first`

/** Finds a zone that is signed on this host. */
export async function findOwn(on: Authdns, typed: string): Promise<ZoneFacts> {
  const zone = await findZoneFacts(on, typed)
  if (zone.kind === 'Slave')
    throw ZoneInvalid(`zone: ${zone.name} is transferred from another server, which signs it`)
  return zone
}

/** The keys of the zone are gone, and so is what was begun with them. */
const rolloverRows = async (on: Authdns, zone: string) =>
  (await on.rollovers.find(zone)) === undefined ? [] : [rollovers.delete({ zone })]
