import { at, type Deciding, failures } from '../../core/endpoint.ts'
import { superuser } from '../../core/guard.ts'
import { accepted, data, enqueued, flat, followed, list, succeeded } from '../../core/reply.ts'
import { PassphraseWrong } from '../../tools/gpg/index.ts'
import { ObjectDamaged, ObjectRetained, ObjectStoreFailed } from '../../tools/s3/index.ts'
import { loadWebsite, WebsitePath } from '../websites/index.ts'
import { BackupEvent, backingUp, backupEvent } from './back-up.ts'
import { readProgress, restoreAll } from './bulk.ts'
import { type Context, endpoint } from './context.ts'
import {
  Backup,
  BackupDraft,
  BackupPath,
  BackupSet,
  BackupSets,
  BulkProgress,
  Protection,
  RestoreAll,
  RestoreDraft,
  Scan,
  SetDraft,
  SetPath,
  WebappRestore,
} from './model.ts'
import { databasesFailed } from './failures.ts'
import { deleteBackup, findPoint, listBackups } from './points.ts'
import * as problems from './problems.ts'
import { listProtection } from './protection.ts'
import { draftRestore, restoring } from './restore.ts'
import { chosenPoint, scanBackups } from './scan.ts'
import { deleteSet, listSets, saveSet } from './sets.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, backups: { websites } }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

const backupsOnS3 = [problems.S3Failed, ObjectStoreFailed, ObjectDamaged]
const ofWebsite = endpoint.with({ base: '/websites', params: WebsitePath, target: load })
const ofBackup = endpoint.with({ base: '/websites', params: BackupPath, target: load })
const ofServer = endpoint.with({ base: '/settings/backup', guard: superuser })

export const listWebsiteBackups = ofWebsite({
  method: 'GET',
  path: '/{id}/backups',
  summary: 'List the backups of a website, newest first',
  description: 'Those on S3 alone are listed while S3 answers.',
  effect: 'reads',
  reply: list(Backup, { sort: ['-time_mark'], search: ['name'] }),
  run: ({ target, query, signal, backups: on }) => listBackups(on, target, query, signal),
})

export const backUpWebsite = ofWebsite({
  method: 'POST',
  path: '/{id}/backups',
  summary: 'Back up a website, as an event stream',
  description:
    'Files, databases, crontab, settings and certificate; after the first, only files that have changed. It is listed once it is complete, and then copied to S3 as a job where the settings say so. Leaving the stream does not end it.',
  effect: 'changes',
  category: 'websites',
  body: BackupDraft,
  reply: followed(backingUp, BackupEvent, backupEvent),
  throws: failures(databasesFailed, {
    not_found: problems.SetUnknown,
    already_running: problems.BackingUpAlready,
    conflict: problems.KeyMissing,
  }),
  run: ({ target, body }) => ({ website_id: target.id, set: body.set }),
})

export const restoreWebsiteBackup = ofBackup({
  method: 'POST',
  path: '/{id}/backups/{name}/restore',
  summary: 'Restore a website to a backup, which leaves exactly the files of that time',
  description:
    'The present state is backed up before, in the set before-restore. A restore that fails leaves the website as it was. With for_inspection the backup is unpacked into a new folder of the home, and the website stays as it is.',
  effect: 'destroys',
  category: 'websites',
  body: RestoreDraft,
  reply: accepted(restoring),
  throws: failures(databasesFailed, {
    not_found: problems.BackupUnknown,
    bad_request: [PassphraseWrong, problems.BackupDamaged, problems.PointUnknown],
    s3_error: backupsOnS3,
    passphrase_required: problems.PassphraseRequired,
    already_running: problems.RestoringAlready,
    conflict: problems.FolderExists,
  }),
  run: async ({ target, params, body, id, signal, backups: on }) =>
    draftRestore(await findPoint(on, target, { name: params.name, source: body.source, signal }), body, id),
})

export const deleteWebsiteBackup = ofBackup({
  method: 'DELETE',
  path: '/{id}/backups/{name}',
  summary: 'Delete a backup of a website that no other continues, with its copy on S3',
  effect: 'destroys',
  category: 'websites',
  reply: succeeded,
  throws: {
    not_found: problems.BackupUnknown,
    conflict: problems.StillNeeded,
    s3_error: [...backupsOnS3, ObjectRetained],
  },
  run: ({ target, params, signal, backups: on }) => deleteBackup(on, target, params.name, signal),
})

export const listBackupSets = ofWebsite({
  method: 'GET',
  path: '/{id}/backups/sets',
  summary: 'List the sets of backups of a website',
  effect: 'reads',
  reply: data(BackupSets),
  run: ({ target, backups: on }) => listSets(on, target),
})

export const saveBackupSet = ofWebsite({
  method: 'POST',
  path: '/{id}/backups/sets',
  summary: 'Create or replace a set: what of a website is backed up, when, and how long backups are kept',
  effect: 'changes',
  category: 'websites',
  body: SetDraft,
  reply: data(BackupSet),
  throws: { bad_request: problems.SetInvalid },
  run: ({ target, body, id, backups: on }) => saveSet(on, target, body, id),
})

export const deleteBackupSet = endpoint({
  base: '/websites',
  params: SetPath,
  target: load,
  method: 'DELETE',
  path: '/{id}/backups/sets/{name}',
  summary: 'Delete a set of a website, without its backups',
  effect: 'destroys',
  category: 'websites',
  reply: succeeded,
  throws: { not_found: problems.SetUnknown },
  run: ({ target, params, backups: on }) => deleteSet(on, target, params.name),
})

export const listBackupProtection = endpoint({
  method: 'GET',
  path: '/websites',
  summary: 'List websites with the age and size of their backups: your own, or all for a superuser',
  description: 'Backups on S3 alone are counted while S3 answers.',
  effect: 'reads',
  reply: list(Protection, { sort: ['domain'], search: ['domain'] }),
  run: ({ query, caller, now, signal, backups: on }) => listProtection(on, query, { caller, now, signal }),
})

const restoringByName = failures(databasesFailed, {
  bad_request: [problems.PointUnknown, PassphraseWrong, problems.BackupDamaged],
  s3_error: backupsOnS3,
  passphrase_required: problems.PassphraseRequired,
  already_running: problems.RestoringAlready,
})

export const restoreWebapp = ofServer({
  method: 'POST',
  path: '/webapp-restore',
  summary: 'Restore a website from a set, also one that is missing on this server',
  effect: 'destroys',
  category: 'websites',
  body: WebappRestore,
  reply: accepted(restoring),
  throws: restoringByName,
  run: async ({ body, id, signal, backups: on }) =>
    draftRestore(await chosenPoint(on, body, signal), body, id),
})

export const restoreAllWebapps = ofServer({
  method: 'POST',
  path: '/webapp-restore-all',
  summary: 'Restore every website that has a backup, with files and databases',
  effect: 'destroys',
  category: 'websites',
  body: RestoreAll,
  reply: enqueued,
  throws: {
    already_running: problems.BulkRunning,
    no_backups: at(200, problems.NoBackups),
    s3_error: backupsOnS3,
  },
  run: ({ body, backups: on, ...request }) => restoreAll(on, body, request),
})

export const getWebappRestoreProgress = ofServer({
  method: 'GET',
  path: '/webapp-restore-progress',
  summary: 'Read how far the running or last restore of all websites is',
  effect: 'reads',
  reply: flat(BulkProgress),
  run: ({ backups: on }) => readProgress(on),
})

export const scanWebapps = ofServer({
  method: 'GET',
  path: '/webapp-scan',
  summary: 'List the sets of backups by website; those that are missing on this server come first',
  effect: 'reads',
  reply: flat(Scan),
  run: ({ signal, backups: on }) => scanBackups(on, signal),
})

export * from './drills/endpoints.ts'
