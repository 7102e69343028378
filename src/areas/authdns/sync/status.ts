import type { Authdns } from '../context.ts'
import type { SyncStatus } from './model.ts'
import type { SyncPushedRow } from './store.ts'

type PushedZone = SyncStatus['servers'][number]['zones'][number]

/** Reads which zones each sync server has, and which ones this panel has received. */
export async function readSyncStatus({ sync, tool }: Authdns): Promise<SyncStatus> {
  const pushed = Map.groupBy(await sync.pushed(), (row) => row.server_id)
  const zones = (await tool.listZones()).filter(({ kind }) => kind !== 'Slave')
  const servers = (await sync.servers()).map(({ id, name, url }) => {
    const rows = new Map((pushed.get(id) ?? []).map((row) => [row.zone, row]))
    const times = [...rows.values()].map(({ pushed_at }) => pushed_at).toSorted()
    const shown = zones.map((zone) => pushedZone(zone.name, zone.serial, rows.get(zone.name)))
    const present = new Set(zones.map((zone) => zone.name))
    const removed = [...rows.values()]
      .filter((row) => !present.has(row.zone) && (row.is_absent === 0 || row.failure !== ''))
      .map((row) => pushedZone(row.zone, -1, row))
    return { id, name, url, last_sync: times.at(-1) ?? null, zones: [...shown, ...removed] }
  })
  const received = (await sync.received()).map(({ zone, serial, is_absent, received_at }) => ({
    ...{ name: zone, serial: Number(serial), absent: is_absent === 1, received_at },
  }))
  return { servers, received }
}

/** A zone that is here no longer has no serial that was pushed. */
function pushedZone(name: string, serial: number, row: SyncPushedRow | undefined): PushedZone {
  const shown = { name, serial: Math.max(0, serial) }
  if (row === undefined) return { ...shown, status: 'pending', message: null, pushed_at: null }
  const { failure, pushed_at } = row
  if (failure !== '') return { ...shown, status: 'failed', message: failure, pushed_at }
  const isSame = Number(row.serial) === serial && row.is_absent === 0
  return { ...shown, status: isSame ? 'synced' : 'pending', message: null, pushed_at }
}
