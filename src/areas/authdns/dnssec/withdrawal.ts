import { type Change, change } from '../../../core/change.ts'
import type { Authdns } from '../context.ts'
import { zoneLock } from '../locks.ts'
import { ForceRequired, NotSigned } from '../problems.ts'
import { findOwn } from './own-zone.ts'
import type { Withdrawal } from './model.ts'
import { parentState, readParentDs, secondsInCaches } from './parent.ts'
import { later } from './times.ts'
import { withdrawals } from './store.ts'

interface Asked {
  /** Takes a parent that cannot be asked for one without a DS. */
  readonly force: boolean
  readonly now: Date
}

/**
 * Takes a step of disabling DNSSEC: notes the TTL of the DS while the parent has it, and from when on no resolver has it once
 * it is gone. Until then, the keys have to stay (RFC 6781, 4.3.4).
 */
export async function withdrawDs(
  on: Authdns,
  typed: string,
  { force, now }: Asked,
): Promise<Change<Withdrawal>> {
  const { name } = await findOwn(on, typed)
  if ((await on.tool.readKeys(name)).length === 0) throw NotSigned(`zone: ${name} is not signed`)
  const parent = await readParentDs(on, name)
  const state = parentState(parent)
  if (state === 'unknown' && !force)
    throw ForceRequired(`force: whether the parent of ${name} has its DS cannot be found out`)
  const was = await on.withdrawals.find(name)
  const isPublished = state === 'published'
  const ds_seconds = isPublished ? secondsInCaches(parent) : (was?.ds_seconds ?? secondsInCaches(parent))
  const remove_from = isPublished ? null : (was?.remove_from ?? later(now, ds_seconds))
  const values = { ds_seconds, remove_from }
  return change({
    summary: `${isPublished ? 'Begin to disable' : 'Confirm that the parent has no DS, to disable'} DNSSEC of the DNS zone ${name}`,
    locks: [zoneLock(name)],
    rows: [
      was === undefined
        ? withdrawals.insert(withdrawals.row({ zone: name, ...values }))
        : withdrawals.update(was, values),
    ],
    details: [
      isPublished
        ? 'Have the registrar remove the DS, and take this step again once it is gone'
        : `The keys have to stay for ${ds_seconds} seconds after the DS: resolvers may have it`,
    ],
    reply: values,
  })
}

/** Throws unless no resolver has a DS of the zone any more, as far as the panel was told. */
export async function assertWithdrawn(
  on: Authdns,
  zone: string,
  { isMirrored, now }: { readonly isMirrored: boolean; readonly now: Date },
): Promise<void> {
  const state = parentState(await readParentDs(on, zone))
  if (state !== 'absent') throw ForceRequired(reasons[state](zone))
  if (isMirrored) return
  const remove_from = (await on.withdrawals.find(zone))?.remove_from ?? null
  if (remove_from === null)
    throw ForceRequired(
      `force: resolvers keep a DS for its time to live: confirm that the parent of ${zone} has none any more (POST …/dnssec/withdrawal), and wait that long; a parent that has never had one needs no wait`,
    )
  if (now.toISOString() < remove_from)
    throw ForceRequired(`force: resolvers may have the DS of ${zone} until ${remove_from}`)
}

const reasons = {
  published: (zone: string) =>
    `force: the parent of ${zone} has its DS: have the registrar remove it, wait for its time to live, then disable DNSSEC`,
  unknown: (zone: string) =>
    `force: whether the parent of ${zone} has its DS cannot be found out: remove it there first`,
} as const
