import type { Fetch } from '../../../host/fetch/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import type { SyncedZone } from './model.ts'
import { type PushArgs, type PushResult, pushStep } from './push-step.ts'
import { PeerUnreachable } from '../../peer.ts'
import { sendZone } from './send.ts'
import { syncPushed, type SyncPushedRow, type SyncQueries, type SyncServerRow } from './store.ts'

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
    if (failure instanceof PeerUnreachable) unreachable = failure
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
