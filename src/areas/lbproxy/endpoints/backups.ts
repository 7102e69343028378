import Type from 'typebox'
import { local } from '../../../core/endpoint.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import * as autoBackup from '../auto-backup.ts'
import * as backups from '../backups.ts'
import { endpoint } from '../context.ts'
import { live, notLive } from '../failures.ts'
import * as model from '../model.ts'
import { BackupMissing, NeedsSuperuser } from '../problems.ts'

const changing = endpoint.with({ category: local('backups are files of this host'), throws: notLive })

const BackupPath = Type.Object({ name: model.FileName })

export const listBackups = endpoint({
  method: 'GET',
  path: '/backups',
  summary: 'List backups of the configuration, newest first',
  effect: 'reads',
  reply: data(Type.Array(model.Backup, { maxItems: 10_000 })),
  run: ({ lbproxy }) => backups.listBackups(lbproxy),
})

export const createBackup = changing({
  method: 'POST',
  path: '/backups',
  summary: 'Back up the configuration',
  effect: 'changes',
  reply: created(model.Backup),
  target: live,
  run: ({ target, now, lbproxy }) => backups.createBackup(lbproxy, target, now),
})

export const deleteBackup = changing({
  method: 'DELETE',
  path: '/backups/{name}',
  summary: 'Remove a backup',
  effect: 'destroys',
  params: BackupPath,
  reply: succeeded,
  throws: { backup_missing: BackupMissing },
  run: ({ params, lbproxy }) => backups.deleteBackup(lbproxy, params.name),
})

export const restoreBackup = changing({
  method: 'POST',
  path: '/backups/{name}/restore',
  summary: 'Restore a backup; what runs now is backed up first',
  effect: 'changes',
  params: BackupPath,
  reply: succeeded,
  throws: { backup_missing: BackupMissing, forbidden: NeedsSuperuser },
  target: live,
  run: ({ target, params, caller, now, lbproxy }) =>
    backups.restoreBackup(lbproxy, target, { ...params, caller, now }),
})

export const scheduleBackups = changing({
  method: 'POST',
  path: '/backups/auto',
  summary: 'Set whether and how often the configuration is backed up by itself',
  effect: 'changes',
  body: model.AutoBackup,
  reply: data(model.AutoBackup),
  run: ({ body, lbproxy, caller }) => autoBackup.scheduleBackups(lbproxy, body, caller),
})
