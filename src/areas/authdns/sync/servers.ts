import { type Change, change } from '../../../core/change.ts'
import type { Deciding } from '../../../core/endpoint.ts'
import { lock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { isMasked } from '../../../core/secret.ts'
import { panelUrl } from '../../sync-key.ts'
import type { Authdns } from '../context.ts'
import { SyncServerInvalid, SyncServerTaken } from '../problems.ts'
import type { SyncServer, SyncServerDraft } from './model.ts'
import { syncPushed, type SyncServerRow, syncServers } from './store.ts'

const serverLock = lock('authdns_sync_server')

/** Lists the panels that zones are pushed to, by name. */
export async function listSyncServers(on: Authdns): Promise<SyncServer[]> {
  return (await on.sync.servers()).map((row) => shownServer(on, row))
}

/** Adds a panel that zones are pushed to. */
export async function addSyncServer(
  on: Authdns,
  draft: SyncServerDraft,
  { id, now }: Pick<Deciding, 'id' | 'now'>,
): Promise<Change<SyncServer>> {
  const name = draft.name.trim()
  if (name === '') throw SyncServerInvalid('name: must not be empty')
  if (isMasked(draft.api_key) || !/^[\x21-\x7e]+$/.test(draft.api_key))
    throw SyncServerInvalid('api_key: must be the key that the other panel has generated')
  const url = panelUrl(draft.url, SyncServerInvalid)
  if ((await on.sync.serverNamed(name)) !== undefined)
    throw SyncServerTaken(`name: there is a sync server ${name}`)
  const row = syncServers.row({
    ...{ id: id(syncServers.name), name, url, created_at: now.toISOString() },
    sealed_key: on.store.seal(draft.api_key),
  })
  return change({
    summary: `Add the sync server ${name}`,
    locks: [serverLock(name)],
    rows: [syncServers.insert(row)],
    reply: shownServer(on, row),
  })
}

/** Removes a panel from those that zones are pushed to; the zones that it has stay there. */
export async function deleteSyncServer({ sync }: Authdns, id: number): Promise<Change<{ success: true }>> {
  const { name } = await sync.server(id)
  return change({
    summary: `Remove the sync server ${name}`,
    locks: [serverLock(name)],
    rows: [syncPushed.delete({ server_id: id }), syncServers.delete({ id })],
    reply: success,
  })
}

const shownServer = (
  { store }: Authdns,
  { id, name, url, sealed_key, created_at }: SyncServerRow,
): SyncServer => ({ id, name, url, api_key: store.unseal(sealed_key), created_at })
