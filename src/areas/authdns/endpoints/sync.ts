import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { key } from '../../../core/guard.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { NotFound } from '../../../core/problem.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { type Context, endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import {
  ForceRequired,
  RecordInvalid,
  SyncServerInvalid,
  SyncServerTaken,
  SyncZoneInvalid,
  ZoneFileInvalid,
  ZoneInvalid,
  ZoneNotFound,
} from '../problems.ts'
import * as syncKey from '../sync/key.ts'
import {
  BindImport,
  NewSyncKey,
  SyncedZone,
  SyncKey,
  SyncPushDraft,
  SyncPushed,
  SyncServer,
  SyncServerDraft,
  SyncServerPath,
  SyncStatus,
  SyncZoneApplied,
} from '../sync/model.ts'
import * as push from '../sync/push.ts'
import * as receive from '../sync/receive.ts'
import * as servers from '../sync/servers.ts'
import { readSyncStatus } from '../sync/status.ts'

const bodyBytes = 32 * 1024 * 1024
const bySyncKey = (options: { readonly orSuperuser?: boolean } = {}) =>
  key<Context>(
    'X-Panel-Sync-Key',
    ({ authdns }, { key: sent }) => syncKey.verdictOnSyncKey(authdns, sent),
    options,
  )

export const readDnsSyncKey = endpoint({
  method: 'GET',
  path: '/sync-api-key',
  summary: 'Read when the sync key of this panel was generated and last used',
  effect: 'reads',
  reply: data(SyncKey),
  run: ({ authdns }) => syncKey.readSyncKey(authdns),
})

export const createDnsSyncKey = endpoint({
  method: 'POST',
  path: '/sync-api-key',
  summary: 'Generate the sync key of this panel, which ends the former one',
  description:
    'Only this reply shows the key. Another panel sends it as X-Panel-Sync-Key to push zones here.',
  effect: 'changes',
  changesAccess: true,
  category: local('each panel has a key of its own'),
  reply: data(NewSyncKey),
  run: ({ authdns, now }) => syncKey.createSyncKey(authdns, now),
})

export const deleteDnsSyncKey = endpoint({
  method: 'DELETE',
  path: '/sync-api-key',
  summary: 'Delete the sync key of this panel: no other panel can push zones',
  effect: 'destroys',
  changesAccess: true,
  category: local('each panel has a key of its own'),
  reply: succeeded,
  run: () => syncKey.deleteSyncKey(),
})

export const listDnsSyncServers = endpoint({
  method: 'GET',
  path: '/sync-servers',
  summary: 'List the panels that DNS zones are pushed to',
  effect: 'reads',
  reply: data(Type.Array(SyncServer, { maxItems: 1000 })),
  run: ({ authdns }) => servers.listSyncServers(authdns),
})

export const addDnsSyncServer = endpoint({
  method: 'POST',
  path: '/sync-servers',
  summary: 'Add a panel that DNS zones are pushed to',
  effect: 'changes',
  category: local('each panel pushes to servers of its own'),
  body: SyncServerDraft,
  reply: created(SyncServer),
  throws: { bad_request: SyncServerInvalid, conflict: SyncServerTaken },
  run: ({ authdns, body, ...request }) => servers.addSyncServer(authdns, body, request),
})

export const deleteDnsSyncServer = endpoint({
  method: 'DELETE',
  path: '/sync-servers/{id}',
  summary: 'Remove a panel that DNS zones are pushed to; its zones stay there',
  effect: 'destroys',
  category: local('each panel pushes to servers of its own'),
  params: SyncServerPath,
  reply: succeeded,
  throws: { not_found: NotFound },
  run: ({ authdns, params }) => servers.deleteSyncServer(authdns, params.id),
})

export const pushDnsZones = endpoint({
  method: 'POST',
  path: '/sync-push',
  summary: 'Push all or some DNS zones to the sync servers',
  description:
    'Without `zones`, all except secondary ones, and the absence of those that were pushed before and are here no longer. The reply has a result for each server.',
  effect: 'changes',
  category: local('each panel pushes to servers of its own'),
  body: SyncPushDraft,
  reply: data(SyncPushed),
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, SyncZoneInvalid],
    not_found: [ZoneNotFound, NotFound],
  }),
  timeoutMs: 300_000,
  run: ({ authdns, body, now }) => push.pushZones(authdns, body, now),
})

export const readDnsSyncStatus = endpoint({
  method: 'GET',
  path: '/sync-status',
  summary: 'Read which DNS zones each sync server has, and which were received',
  effect: 'reads',
  reply: data(SyncStatus),
  throws: ofBackend,
  run: ({ authdns }) => readSyncStatus(authdns),
})

export const receiveDnsZone = endpoint({
  method: 'POST',
  path: '/sync-zone',
  summary: 'Take a DNS zone from another panel, or its absence',
  description:
    'All record sets are replaced. A `change_id` that is not greater than that of the last change of the zone is not applied again. A zone is removed only if a panel has pushed it.',
  effect: 'changes',
  category: local('the panel that sends it pushes it to each of its servers'),
  guard: bySyncKey({ orSuperuser: true }),
  bodyBytes,
  timeoutMs: 300_000,
  body: SyncedZone,
  reply: data(SyncZoneApplied),
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, RecordInvalid, RecordsRefused, SyncZoneInvalid],
    force_required: ForceRequired,
  }),
  run: ({ authdns, body, now }) => receive.receiveZone(authdns, body, now),
})

export const importBindZone = endpoint({
  method: 'POST',
  path: '/import-bind',
  summary: 'Import a zone file that another panel sends with the sync key',
  description: 'Creates the zone if it does not exist, and replaces the record sets that the file has.',
  effect: 'changes',
  category: local('the panel that sends it sends it to each of its servers'),
  guard: bySyncKey(),
  bodyBytes,
  timeoutMs: 300_000,
  body: BindImport,
  reply: succeeded,
  throws: failures(ofBackend, {
    bad_request: [ZoneInvalid, ZoneFileInvalid, RecordInvalid, RecordsRefused],
  }),
  run: ({ authdns, body }) => receive.importBind(authdns, body),
})
