import { local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { ObjectStoreFailed } from '../../../tools/s3/index.ts'
import { endpoint } from '../context.ts'
import * as keys from './key.ts'
import {
  BackupKey,
  BackupSettings,
  BackupSettingsDraft,
  ObjectStoreTest,
  ObjectStoreTested,
} from './model.ts'
import { KeyMissing, SettingInvalid } from './problems.ts'
import * as settings from './settings.ts'
import { testObjectStore } from './test-s3.ts'

const ofThisHost = local('each host has backups and a key of its own')

export const readBackupSettings = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read where backups go, when the panel is backed up, and whether backups are encrypted',
  effect: 'reads',
  reply: data(BackupSettings),
  run: ({ backups }) => settings.readSettings(backups),
})

export const changeBackupSettings = endpoint({
  method: 'POST',
  path: '',
  summary: 'Set where backups go, when the panel is backed up, and whether backups are encrypted',
  description: 'Fields that are left out stay as they are. Another S3 server needs its secret key again.',
  effect: 'changes',
  category: ofThisHost,
  body: BackupSettingsDraft,
  reply: succeeded,
  throws: { bad_request: SettingInvalid },
  run: ({ backups, body, caller }) => settings.changeSettings(backups, body, caller),
})

export const generateKey = endpoint({
  method: 'POST',
  path: '/generate-key',
  summary: 'Generate the passphrase that backups are encrypted with, and encrypt all backups from now on',
  description:
    'Keep it outside this host: without it no encrypted backup can be restored. It replaces the former one, which earlier backups still need.',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  reply: data(BackupKey),
  run: ({ backups }) => keys.generateKey(backups),
})

export const getKey = endpoint({
  method: 'POST',
  path: '/get-key',
  summary: 'Show the passphrase that backups are encrypted with; each call is told in the activity',
  effect: 'probes',
  changesAccess: true, // it opens every backup
  reply: data(BackupKey),
  throws: { not_found: KeyMissing },
  run: ({ backups }) => keys.readKey(backups),
})

export const disableEncryption = endpoint({
  method: 'POST',
  path: '/disable-encryption',
  summary: 'Forget the passphrase, and encrypt no backups from now on',
  description: 'Backups that are encrypted stay so, and still need the passphrase.',
  effect: 'changes',
  category: ofThisHost,
  reply: succeeded,
  run: ({ backups }) => keys.disableEncryption(backups),
})

export const testS3 = endpoint({
  method: 'POST',
  path: '/test-s3',
  summary: 'Test whether a bucket of an S3 server can be reached with an access key',
  effect: 'probes',
  body: ObjectStoreTest,
  reply: data(ObjectStoreTested),
  throws: { bad_request: SettingInvalid, s3_error: ObjectStoreFailed },
  run: ({ backups, body, ...request }) => testObjectStore(backups, body, request),
})
