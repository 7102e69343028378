import { type Change, change, step } from '../../../core/change.ts'
import { lock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import type { Authdns } from '../context.ts'
import { zoneName } from '../names.ts'
import { SyncZoneInvalid, ZoneNotFound } from '../problems.ts'
import type { SyncPushDraft, SyncPushed } from './model.ts'
import type { SyncPushedRow } from './store.ts'

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
