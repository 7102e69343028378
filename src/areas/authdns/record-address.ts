import { acceptable, contentKey, zonePath } from '../../tools/powerdns/index.ts'
import type { Authdns } from './context.ts'
import { recordName } from './names.ts'
import { NotSetUp } from './problems.ts'
import { findWritable } from './records/change.ts'

/** A record with addresses of a zone of this host. */
export interface AddressRecord {
  readonly zone: string
  /** `@`, relative to the zone, or absolute. */
  readonly name: string
  readonly type: 'A' | 'AAAA'
}

interface AddressSwitch extends AddressRecord {
  readonly from: string
  readonly to: string
}

/** In seconds, of a record that is not there yet. */
const newTtl = 60

/** Fails with the reason why the addresses of a record cannot be switched here. */
export async function assertSwitchable(on: Authdns, { zone, name }: AddressRecord): Promise<void> {
  if (!on.isEnabled() || (await on.tool.readApiSettings()) === undefined) throw NotSetUp()
  recordName(name, (await findWritable(on, zone)).name)
}

/** Replaces an address of a record by another one; its other addresses and its TTL stay. */
export async function switchAddress(on: Authdns, wanted: AddressSwitch): Promise<void> {
  await assertSwitchable(on, wanted)
  const { name: zone } = await findWritable(on, wanted.zone)
  const key = { name: recordName(wanted.name, zone), type: wanted.type }
  const present = (await on.tool.readNames(zone, [key.name])).find(({ type }) => type === key.type)
  const switched = new Set([wanted.from, wanted.to].map((address) => contentKey(key.type, address)))
  const others = (present?.records ?? []).filter(
    ({ content }) => !switched.has(contentKey(key.type, content)),
  )
  const records = [...others, { content: wanted.to, disabled: false }]
  const set = acceptable({ ...key, ttl: present?.ttl ?? newTtl, records })
  const body = { rrsets: [{ ...set, changetype: 'REPLACE' }] }
  await on.tool.api.write({ method: 'PATCH', path: zonePath(zone), body })
}
