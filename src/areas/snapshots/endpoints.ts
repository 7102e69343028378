import { failures, local } from '../../core/endpoint.ts'
import { created, data, succeeded } from '../../core/reply.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { endpoint } from './context.ts'
import { Snapshot, SnapshotDraft, SnapshotList, SnapshotPath, SnapshotRestored } from './model.ts'
import { NameTaken, SnapshotFailed, SnapshotMissing, SnapshotUnfit } from './problems.ts'
import * as verbs from './snapshots.ts'

const category = local('a snapshot is of this host')

export const listSnapshots = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the snapshots of this host, the newest first',
  effect: 'reads',
  reply: data(SnapshotList),
  run: ({ snapshots }) => verbs.listSnapshots(snapshots),
})

export const createSnapshot = endpoint({
  method: 'POST',
  path: '',
  summary: 'Copy the configuration files of nginx, HAProxy, Exim and rsyslog, and the store of the panel',
  effect: 'changes',
  category,
  body: SnapshotDraft,
  reply: created(Snapshot),
  timeoutMs: 300_000,
  throws: { name_taken: NameTaken, snapshot_failed: SnapshotFailed },
  run: ({ snapshots, body, now }) => verbs.createSnapshot(snapshots, body, now),
})

export const deleteSnapshot = endpoint({
  method: 'DELETE',
  path: '/{name}',
  summary: 'Delete a snapshot',
  effect: 'destroys',
  category,
  params: SnapshotPath,
  reply: succeeded,
  throws: { not_found: SnapshotMissing },
  run: ({ snapshots, params }) => verbs.deleteSnapshot(snapshots, params.name),
})

export const restoreSnapshot = endpoint({
  method: 'POST',
  path: '/{name}/restore',
  summary: 'Restore the files and settings of a snapshot, all of them or none; the plan shows what differs',
  description:
    'Each program checks its files before it loads them. Users, keys, activity and jobs stay as they are. It is refused if more than these files and settings changed since, such as a website that was created or suspended.',
  effect: 'destroys',
  changesAccess: true,
  category,
  params: SnapshotPath,
  reply: data(SnapshotRestored),
  timeoutMs: 600_000,
  throws: failures({ not_found: SnapshotMissing, snapshot_unfit: SnapshotUnfit, restore_failed: notTaken }),
  run: ({ snapshots, params }) => verbs.restoreSnapshot(snapshots, params.name),
})
