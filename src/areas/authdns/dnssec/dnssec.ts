import { type Change, change, step } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import { from } from '../../../core/returned.ts'
import { newSigningKey } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { zoneLock } from '../locks.ts'
import { AlreadySigned, NotSigned } from '../problems.ts'
import { findZoneFacts } from '../zones.ts'
import { forgottenRows } from './key-rows.ts'
import type { Dnssec, DnssecEnabled, Withdrawal } from './model.ts'
import { findOwn } from './own-zone.ts'
import { parentState, readParentDs } from './parent.ts'
import { findRolling, shownRollover } from './rolling.ts'
import { assertWithdrawn } from './withdrawal.ts'

/** Reads how a zone is signed, whether its parent has the DS, and how far a roll-over or the disabling is. */
export async function readDnssec(on: Authdns, typed: string, now: Date): Promise<Dnssec> {
  const { name } = await findZoneFacts(on, typed)
  const keys = await on.tool.readKeys(name)
  const signed = keys.some(({ active }) => active)
  const found = await readParentDs(on, name)
  const parent = parentState(found)
  const rolling = await findRolling(on, name, keys)
  const withdrawal = signed ? await on.withdrawals.find(name) : undefined
  return {
    signed,
    ds: keys.flatMap(({ ds }) => ds),
    keys: keys.map(({ id, keytype, algorithm, flags, active, published, dnskey }) => ({
      ...{ id, keytype, algorithm, flags, active, published, dnskey },
    })),
    parent,
    rollover: rolling === undefined ? null : shownRollover(rolling, found, now),
    withdrawal: withdrawal === undefined ? null : shownWithdrawal(withdrawal, parent),
  }
}

/** A parent that has a DS again has to be asked to remove it again. */
const shownWithdrawal = ({ ds_seconds, remove_from }: Withdrawal, parent: Dnssec['parent']): Withdrawal => ({
  ds_seconds,
  remove_from: parent === 'published' ? null : remove_from,
})

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

interface Disabling {
  /** Removes them although resolvers may have a DS. */
  readonly force: boolean
  /** True if another panel, which has waited, mirrors the change. */
  readonly isMirrored: boolean
  readonly now: Date
}

/** Removes the keys of a zone. While resolvers may have its DS, those that validate would refuse every answer, so that needs `force`. */
export async function disableDnssec(
  on: Authdns,
  typed: string,
  { force, ...waiting }: Disabling,
): Promise<Change<{ success: true }>> {
  const zone = await findOwn(on, typed)
  if ((await on.tool.readKeys(zone.name)).length === 0) throw NotSigned(`zone: ${zone.name} is not signed`)
  if (!force) await assertWithdrawn(on, zone.name, waiting)
  return change({
    summary: `Remove the signatures of the DNS zone ${zone.name}`,
    locks: [zoneLock(zone.name)],
    steps: [step(on.tool.steps.setKeys, { zone: zone.name, keys: [] })],
    rows: await forgottenRows(on, zone.name),
    reply: success,
  })
}
