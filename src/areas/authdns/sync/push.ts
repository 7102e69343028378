import { type Change, change, step } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import type { Fetch } from '../../../host/fetch/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import type { Authdns } from '../context.ts'
import { zoneName } from '../names.ts'
import { SyncZoneInvalid, ZoneNotFound } from '../problems.ts'
import type { SyncedZone, SyncPushDraft, SyncPushed } from './model.ts'
import { type PushArgs, type PushResult, pushStep } from './push-step.ts'
import { sendZone, Unreachable } from './send.ts'
import { syncPushed, type SyncPushedRow, type SyncQueries, type SyncServerRow } from './store.ts'

const pushLock = lock('authdns_sync_push')

/** Pushes zones to sync servers; one that refuses them does not keep the others from getting theirs. */
export async function pushZones(
  on: Authdns,
  { zones: typed, servers: ids }: SyncPushDraft,
  now: Date,
): Promise<Change<SyncPushed>> {
  const servers = await serversIn(on, ids)
  const records = await on.sync.pushed()
  const present = new Map((await on.tool.listZones()).map((zone) => [zone.name, zone.kind]))
  const named = typed?.map((one, at) => namedZone(one, at, { present, records }))
  const latest = Math.max(0, ...records.map(({ change_id }) => Number(change_id)))
  const changeId = Math.max(now.getTime(), latest + 1)
  const steps = servers.map(({ id, name }) => ({
    server: { id, name },
    step: step(on.pushStep, {
      ...{ serverId: id, server: name, changeId },
      zones: named ?? [...pushable(present), ...removed(id, present, records)],
    }),
  }))
  return change({
    summary: 'Push DNS zones to the sync servers',
    locks: [pushLock('push')],
    steps: steps.map((one) => one.step),
    reply: {
      results: steps.map(({ server, step: pushing }) => ({
        ...{ server_id: server.id, name: server.name, success: from(pushing, 'success') },
        ...{ pushed: from(pushing, 'pushed'), failed: from(pushing, 'failed') },
        message: from(pushing, 'message'),
      })),
    },
  })
}

async function serversIn({ sync }: Authdns, ids: readonly number[] | undefined) {
  if (ids === undefined) return sync.servers()
  return Promise.all([...new Set(ids)].map((id) => sync.server(id)))
}

interface Known {
  readonly present: ReadonlyMap<string, string>
  readonly records: readonly SyncPushedRow[]
}

function namedZone(typed: string, at: number, { present, records }: Known): string {
  const field = `zones[${at}]`
  const name = zoneName(typed, field)
  if (present.get(name) === 'Slave')
    throw SyncZoneInvalid(`${field}: the records of ${name} come from its master: push it from there`)
  if (!present.has(name) && !records.some(({ zone }) => zone === name))
    throw ZoneNotFound(`${field}: PowerDNS has no zone ${name}`)
  return name
}

const pushable = (present: ReadonlyMap<string, string>): readonly string[] =>
  [...present].flatMap(([name, kind]) => (kind === 'Slave' ? [] : [name]))

/** The zones that a server got from here, and that are here no longer. */
const removed = (
  serverId: number,
  present: ReadonlyMap<string, string>,
  records: readonly SyncPushedRow[],
): readonly string[] =>
  records
    .filter((row) => row.server_id === serverId && !present.has(row.zone))
    .filter((row) => row.is_absent === 0 || row.failure !== '')
    .map(({ zone }) => zone)

interface PushParts {
  readonly store: Store
  readonly sync: SyncQueries
  readonly tool: Tools['powerdns']
  readonly fetch: Fetch
}

/** Opens the step that pushes zones to one server. */
export function openPushStep(parts: PushParts) {
  return pushStep({
    push: (args, signal) => pushTo(parts, args, signal),
    wasPushed: async ({ serverId, zones, changeId }) => {
      const rows = await parts.sync.pushed()
      const done = rows.filter((row) => row.server_id === serverId && row.change_id === String(changeId))
      return zones.every((name) => done.some(({ zone }) => zone === name))
    },
  })
}

async function pushTo(parts: PushParts, args: PushArgs, signal: AbortSignal): Promise<PushResult> {
  const server = await parts.sync.server(args.serverId)
  let unreachable: Error | undefined
  const failures: string[] = []
  for (const name of args.zones) {
    signal.throwIfAborted()
    const zone = await zoneToSend(parts, name, args.changeId)
    const failure = unreachable ?? (await sendOne(parts, server, { zone, signal }))
    if (failure instanceof Unreachable) unreachable = failure
    await parts.sync.recordPush(pushRow(server.id, zone, failure))
    if (failure !== undefined) failures.push(`${name}: ${failure.message}`)
  }
  const failed = failures.length
  const message = failures[0]?.slice(0, 2000) ?? null
  return { success: failed === 0, pushed: args.zones.length - failed, failed, message }
}

async function zoneToSend({ tool }: PushParts, name: string, changeId: number): Promise<SyncedZone> {
  const found = await tool.readZone(name)
  const named = { zone_name: name, change_id: changeId }
  if (found === undefined) return { ...named, absent: true }
  const rrsets = found.sets.map(({ records, ...set }) => ({
    ...set,
    records: records.map((one) => ({ ...one })),
  }))
  return { ...named, serial: found.serial, rrsets }
}

async function sendOne(
  { store, fetch }: PushParts,
  { url, sealed_key }: SyncServerRow,
  { zone, signal }: { readonly zone: SyncedZone; readonly signal: AbortSignal },
): Promise<Error | undefined> {
  try {
    await sendZone(fetch, { url, key: store.unseal(sealed_key) }, zone, signal)
    return undefined
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    return error
  }
}

const pushRow = (server_id: number, zone: SyncedZone, failure: Error | undefined): SyncPushedRow =>
  syncPushed.row({
    ...{ server_id, zone: zone.zone_name, change_id: String(zone.change_id) },
    ...{ serial: String(zone.serial ?? 0), is_absent: zone.absent === true },
    ...{ failure: failure?.message.slice(0, 2000) ?? '', pushed_at: new Date().toISOString() },
  })
