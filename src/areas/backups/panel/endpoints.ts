import Type from 'typebox'
import { local, upload } from '../../../core/endpoint.ts'
import { bytes, data, flat, succeeded } from '../../../core/reply.ts'
import { CryptFailed, PassphraseWrong } from '../../../tools/gpg/index.ts'
import { endpoint } from '../context.ts'
import * as backups from './backups.ts'
import {
  BackupPath,
  PanelBackupDraft,
  PanelBackupList,
  PanelBackupMade,
  Pulled,
  RestoreBody,
  Restored,
  UploadedBackup,
} from './model.ts'
import * as problems from './problems.ts'

const hourMs = 3_600_000
const mostBytes = 2 * 1024 ** 3
const category = local('a backup is of this host')
const onPanel = endpoint.with({ base: '/system/backup' })
const onBackup = endpoint.with({ base: '/system/backup', params: BackupPath })

export const listPanelBackups = onPanel({
  method: 'GET',
  path: '',
  summary: 'List the backups of the panel on this host, the newest first',
  effect: 'reads',
  reply: data(PanelBackupList),
  run: ({ backups: on }) => backups.listBackups(on),
})

export const createPanelBackup = onPanel({
  method: 'POST',
  path: '',
  summary:
    'Back up the panel: users, websites, settings, keys and certificates, without the content of websites',
  description:
    'It is encrypted and copied to S3 as the settings say. A copy that fails is told in `remote_error`, and the backup stays on this host.',
  effect: 'changes',
  category,
  body: PanelBackupDraft,
  reply: data(PanelBackupMade),
  timeoutMs: hourMs,
  throws: { backup_failed: problems.BackupFailed, encryption_failed: CryptFailed },
  run: ({ backups: on, body, now }) => backups.createBackup(on, body.type ?? 'full', { now }),
})

export const downloadPanelBackup = onBackup({
  method: 'GET',
  path: '/download/{filename}',
  summary: 'Download a backup of the panel',
  effect: 'reads',
  changesAccess: true, // it contains the key of the secrets
  reply: bytes('application/octet-stream'),
  throws: { forbidden: problems.NameForbidden, not_found: problems.BackupMissing },
  run: ({ backups: on, params }) => backups.openBackup(on, params.filename),
})

export const deletePanelBackup = onBackup({
  method: 'DELETE',
  path: '/{filename}',
  summary: 'Delete a backup of the panel on this host; its copy on S3 stays',
  effect: 'destroys',
  category,
  reply: succeeded,
  throws: { delete_failed: problems.DeleteFailed },
  run: ({ backups: on, params }) => backups.deleteBackup(on, params.filename),
})

export const uploadPanelBackup = onPanel({
  method: 'POST',
  path: '/upload',
  summary: 'Upload a backup of the panel: .db, .tar.gz or .gpg, at most 2 GiB',
  effect: 'changes',
  category,
  body: upload(Type.Object({}), { maxBytes: mostBytes }),
  reply: flat(UploadedBackup),
  timeoutMs: 6 * hourMs,
  throws: { bad_request: problems.UploadInvalid, save_error: problems.SaveFailed },
  run: ({ backups: on, body }) => backups.receiveBackup(on, body),
})

export const restorePanelBackup = onBackup({
  method: 'POST',
  path: '/restore/{filename}',
  summary:
    'Restore the panel from a backup; it backs itself up before, and restarts 3 seconds after the answer',
  description:
    'The backup is checked as a whole before anything is replaced. Accounts and programs that the backed up host had and this one lacks are listed.',
  effect: 'destroys',
  changesAccess: true,
  category,
  body: RestoreBody,
  reply: data(Restored),
  timeoutMs: hourMs,
  throws: {
    bad_request: PassphraseWrong,
    passphrase_required: problems.PassphraseRequired,
    restore_failed: problems.RestoreFailed,
    backup_failed: problems.BackupFailed,
    encryption_failed: CryptFailed,
  },
  run: ({ backups: on, params, body, now }) =>
    backups.restoreBackup(on, { filename: params.filename, passphrase: body.passphrase, now }),
})

export const pullPanelBackups = onPanel({
  method: 'POST',
  path: '/pull-s3',
  summary: 'Fetch the backups of the panel from S3 that this host does not have',
  effect: 'changes',
  category,
  reply: data(Pulled),
  timeoutMs: 6 * hourMs,
  throws: { pull_failed: problems.PullFailed },
  run: ({ backups: on, signal }) => backups.pullBackups(on, signal),
})
