import { type Change, change } from '../../../core/change.ts'
import type { KeyVerdict } from '../../../core/guard.ts'
import { lock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { isSyncKey, newSyncKey, syncKeyId } from '../../sync-key.ts'
import type { Authdns } from '../context.ts'
import type { NewSyncKey, SyncKey } from './model.ts'
import { syncKeys } from './store.ts'

const keyLock = lock('authdns_sync_key')

/** Reads when the sync key of this panel was generated and last used; never the key. */
export async function readSyncKey({ sync }: Authdns): Promise<SyncKey> {
  const row = await sync.key()
  if (row === undefined) return { configured: false }
  const { key_prefix, created_at, last_used } = syncKeys.show(row)
  return { configured: true, key_prefix, created_at, last_used }
}

/** Generates the sync key of this panel, which only the reply shows; the former one ends. */
export async function createSyncKey({ sync }: Authdns, now: Date): Promise<Change<NewSyncKey>> {
  const { key, row } = newSyncKey(now)
  const isReplaced = (await sync.key()) !== undefined
  return change({
    summary: 'Generate the sync key of this DNS server',
    locks: [keyLock('key')],
    rows: [...(isReplaced ? [syncKeys.delete({ id: syncKeyId })] : []), syncKeys.insert(syncKeys.row(row))],
    details: isReplaced ? ['Panels that have the former key can push no more until they have this one'] : [],
    reply: { api_key: key, created_at: row.created_at },
  })
}

/** Deletes the sync key of this panel: no other panel can push zones to it any more. */
export function deleteSyncKey(): Change<{ success: true }> {
  return change({
    summary: 'Delete the sync key of this DNS server',
    locks: [keyLock('key')],
    rows: [syncKeys.delete({ id: syncKeyId })],
    reply: success,
  })
}

/** Compares a key that another panel sends with that of this panel, and records its use. */
export async function verdictOnSyncKey({ sync }: Authdns, sent: string): Promise<KeyVerdict> {
  const row = await sync.key()
  if (row === undefined || !isSyncKey(row, sent)) return 'wrong'
  await sync.markKeyUsed(new Date())
  return 'valid'
}
