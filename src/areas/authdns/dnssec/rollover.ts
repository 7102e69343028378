import { type Change, change, step } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import { newSigningKey, type ZoneFacts, type ZoneKey } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { zoneLock } from '../locks.ts'
import { ForceRequired, NotRolling, NotSigned, RollingAlready, RolloverInvalid } from '../problems.ts'
import { findOwn } from './own-zone.ts'
import type { Rollover, RolloverStep } from './model.ts'
import { type ParentDs, parentKeys, readParentDs, secondsInCaches } from './parent.ts'
import { findRolling, isSameKey, type Rolling } from './rolling.ts'
import { rollovers } from './store.ts'
import { later } from './times.ts'

interface Asked extends RolloverStep {
  /** Carries the step out without what it has to wait for. */
  readonly force: boolean
  readonly now: Date
}

type Done = Change<{ success: true }>

/**
 * Carries out a step of the roll-over of a zone's key, by two keys that both sign (RFC 6781, 4.1.3): no resolver
 * ever has a DS, keys and signatures that do not belong together.
 */
export async function rollOver(on: Authdns, typed: string, asked: Asked): Promise<Done> {
  const zone = await findOwn(on, typed)
  const keys = await on.tool.readKeys(zone.name)
  if (keys.length === 0) throw NotSigned(`zone: ${zone.name} is not signed`)
  if (asked.step === 'start') return start(on, zone, { keys, now: asked.now })
  const rolling = await findRolling(on, zone.name, keys)
  if (rolling === undefined)
    throw NotRolling(`step: the key of ${zone.name} is not being rolled over: begin with the step start`)
  const at = { ...asked, rolling, parent: await readParentDs(on, zone.name) }
  if (asked.step === 'ds_published') return confirmDs(at)
  return asked.step === 'finish' ? finish(on, at) : cancel(on, at)
}

interface Starting {
  readonly keys: readonly ZoneKey[]
  readonly now: Date
}

async function start(on: Authdns, zone: ZoneFacts, { keys, now }: Starting): Promise<Done> {
  const { name } = zone
  if ((await findRolling(on, name, keys)) !== undefined)
    throw RollingAlready(`step: the key of ${name} is being rolled over: finish or cancel that first`)
  assertSingle(name, keys)
  const present = (await on.tool.readSigningKeys(name)).map(({ key }) => key)
  const { key, dnskey } = newSigningKey()
  const seconds = await recordSeconds(on, zone)
  const row = rollovers.row({
    ...{ zone: name, dnskey, ds_seconds: secondsInCaches(await readParentDs(on, name)) },
    ...{ started_at: now.toISOString(), publish_from: later(now, seconds) },
  })
  const stale = await on.rollovers.find(name)
  return change({
    summary: `Start the roll-over of the key of the DNS zone ${name}`,
    locks: [zoneLock(name)],
    steps: [step(on.tool.steps.setKeys, { zone: name, keys: [...present, key] })],
    rows: [...(stale === undefined ? [] : [rollovers.delete({ zone: name })]), rollovers.insert(row)],
    // no times of day: a plan is compared with a later one
    details: [`The DS has to stay for ${seconds} seconds: resolvers may have the former key alone`],
    reply: success,
  })
}

/** Other keys need other orders: a KSK and a ZSK are replaced one by one, and another algorithm signs before it is published. */
function assertSingle(zone: string, keys: readonly ZoneKey[]): void {
  const [key] = keys
  const found = keys.map(({ id, keytype, algorithm }) => `${id} (${keytype}, ${algorithm})`).join(', ')
  if (keys.length !== 1 || key?.keytype !== 'csk' || !key.active || !/^\d+ 3 13 /.test(key.dnskey))
    throw RolloverInvalid(
      `zone: only a single active CSK of algorithm 13 is rolled over, and ${zone} has the keys ${found}`,
    )
}

/** Resolvers keep nothing longer, whatever its TTL (max-cache-ttl of BIND). */
const longestSeconds = 604_800

/** PowerDNS itself keeps answers for that long at most (cache-ttl). */
const answerSeconds = 20

/** How long resolvers may have records, signatures and keys of a zone as they are now, counting the delay of its secondaries. */
async function recordSeconds({ tool }: Authdns, { name, kind }: ZoneFacts): Promise<number> {
  const sets = (await tool.readZone(name))?.sets ?? []
  const start = sets.find(({ type }) => type === 'SOA')?.records[0]?.content.split(' ') ?? []
  const [refresh, minimum] = [Number(start[3] ?? 0), Number(start[6] ?? 0)]
  // PowerDNS gives the keys the minimum of the SOA as TTL
  const longest = sets.reduce((most, { ttl }) => Math.max(most, ttl), minimum)
  return (
    Math.min(longest, longestSeconds) + Math.min(longest, answerSeconds) + (kind === 'Master' ? refresh : 0)
  )
}

interface Continuing extends Asked {
  readonly rolling: Rolling
  readonly parent: ParentDs | undefined
}

function confirmDs({ rolling, parent, now, force }: Continuing): Done {
  const { row } = rolling
  if (!force) {
    if (now.toISOString() < row.publish_from)
      throw ForceRequired(
        `force: resolvers may have the keys without the new one until ${row.publish_from}: the parent must have the former DS until then`,
      )
    assertPublished(row.zone, parentKeys(parent, rolling))
  }
  const seconds = Math.max(row.ds_seconds, secondsInCaches(parent))
  return change({
    summary: `Confirm the DS of the new key of the DNS zone ${row.zone}`,
    locks: [zoneLock(row.zone)],
    rows: row.finish_from === null ? [rollovers.update(row, { finish_from: later(now, seconds) })] : [],
    details: [`The former key has to stay for ${seconds} seconds: resolvers may have its DS`],
    reply: success,
  })
}

const published: Readonly<Record<Exclude<Rollover['parent'], 'new' | 'both'>, string>> = {
  former: 'has the DS of the former key: replace it by that of the new one',
  none: 'has no DS: enter that of the new key',
  other: 'has the DS of another key: replace it by that of the new one',
  unknown: 'cannot be asked whether it has the DS of the new key',
}

function assertPublished(zone: string, parent: Rollover['parent']): void {
  if (parent !== 'new' && parent !== 'both')
    throw ForceRequired(`force: the parent of ${zone} ${published[parent]}`)
}

async function finish(on: Authdns, { rolling, parent, now, force }: Continuing): Promise<Done> {
  if (!force) assertFinishable(rolling, parent, now)
  return removal(on, rolling, { dnskey: rolling.former.dnskey, summary: 'Finish' })
}

function assertFinishable(rolling: Rolling, parent: ParentDs | undefined, now: Date): void {
  const { zone, finish_from } = rolling.row
  if (finish_from === null)
    throw ForceRequired(
      'force: that the parent has the DS of the new key is not confirmed: take the step ds_published',
    )
  if (now.toISOString() < finish_from)
    throw ForceRequired(`force: resolvers may have the DS of the former key until ${finish_from}`)
  assertPublished(zone, parentKeys(parent, rolling))
}

async function cancel(on: Authdns, { rolling, parent, force }: Continuing): Promise<Done> {
  const { row, next } = rolling
  const held = parentKeys(parent, rolling)
  const isUnknown = held !== 'former' && held !== 'none'
  if (!force && (row.finish_from !== null || isUnknown))
    throw ForceRequired(
      `force: the parent of ${row.zone} may have, or have had, the DS of the new key, and resolvers keep it: finish the roll-over instead`,
    )
  return removal(on, rolling, { dnskey: next.dnskey, summary: 'Cancel' })
}

interface Removal {
  /** Of the key that is removed. */
  readonly dnskey: string
  readonly summary: 'Finish' | 'Cancel'
}

async function removal(on: Authdns, { row }: Rolling, { dnskey, summary }: Removal): Promise<Done> {
  const present = await on.tool.readSigningKeys(row.zone)
  const keys = present.filter((each) => !isSameKey(each.dnskey, dnskey)).map(({ key }) => key)
  return change({
    summary: `${summary} the roll-over of the key of the DNS zone ${row.zone}`,
    locks: [zoneLock(row.zone)],
    steps: [step(on.tool.steps.setKeys, { zone: row.zone, keys })],
    rows: [rollovers.delete({ zone: row.zone })],
    reply: success,
  })
}
