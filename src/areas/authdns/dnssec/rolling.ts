import type { ZoneKey } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import type { Rollover } from './model.ts'
import { type ParentDs, parentKeys } from './parent.ts'
import type { RolloverRow } from './store.ts'

/** A roll-over of a zone's key, with the two keys that sign the zone meanwhile. */
export interface Rolling {
  readonly row: RolloverRow
  readonly former: ZoneKey
  readonly next: ZoneKey
}

/** Finds the roll-over of a zone; undefined also where the zone has other keys by now than those that it is about. */
export async function findRolling(
  { rollovers }: Authdns,
  zone: string,
  keys: readonly ZoneKey[],
): Promise<Rolling | undefined> {
  const row = await rollovers.find(zone)
  if (row === undefined || keys.length !== 2) return undefined
  const next = keys.find(({ dnskey }) => isSameKey(dnskey, row.dnskey))
  const former = keys.find((key) => key !== next && key.active)
  return next === undefined || former === undefined ? undefined : { row, former, next }
}

/** PowerDNS and the panel may break the base64 text of a key in different places. */
export const isSameKey = (one: string, other: string): boolean =>
  one.replaceAll(/\s/g, '') === other.replaceAll(/\s/g, '')

/** Returns a roll-over as it is shown, with what comes next. */
export function shownRollover(rolling: Rolling, parent: ParentDs | undefined, now: Date): Rollover {
  const { row, former, next } = rolling
  const { started_at, publish_from, finish_from } = row
  return {
    ...{ state: stateOf(row, now), former_id: former.id, new_id: next.id, ds: [...next.ds] },
    ...{ parent: parentKeys(parent, rolling), started_at, publish_from, finish_from },
  }
}

function stateOf({ publish_from, finish_from }: RolloverRow, now: Date): Rollover['state'] {
  const time = now.toISOString()
  if (finish_from !== null) return time < finish_from ? 'waiting_for_ds' : 'ready'
  return time < publish_from ? 'waiting_for_caches' : 'waiting_for_parent'
}
