import { writeFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../../host/files.ts'
import { objectsInMemory } from '../../../tools/s3/testing/objects-in-memory.ts'
import type { PanelParts } from './parts.ts'
import { dropStep } from './drop-step.ts'
import { putStep } from './put-step.ts'
import { stageStep } from './stage-step.ts'

const directory = '/backups/panel'
const notUsed = () => Promise.reject(new Error('not used'))

/** What the steps need besides files: none of it is called. */
const partsOn = (files: Files): PanelParts => ({
  files,
  directory,
  dataDir: '',
  places: { 'secret.key': '/secret.key' },
  store: { copyTo: notUsed, tryOpening: async () => {}, db: undefined as never },
  run: notUsed,
  accounts: { find: notUsed },
  gpg: { encryptFile: notUsed, decryptFile: notUsed },
  programs: [],
  openObjects: () => {
    throw new Error('not used')
  },
  version: '1.0.0',
  hostname: () => 'web1',
  restart: undefined,
  row: notUsed,
  settings: { read: notUsed },
  key: { passphrase: notUsed },
})

const machine = async (t: Parameters<typeof scratchRoot>[0]) => {
  const files = openFiles(scratchRoot(t))
  await files.makeDirectory(directory)
  writeFileSync(files.real(`${directory}/old.db`), 'old')
  return files
}
const look = async (files: Files) => ({
  backups: await files.list(directory),
  pending: await files.list('/restore-pending'),
})

proveStep<Files>('backups.put', {
  machine,
  open: (files, door) => putStep(partsOn(door(files))),
  look,
  cases: {
    'an upload': {
      args: { filename: 'new.db', from: 'upload', sends: false },
      live: () => Readable.from([Buffer.from('new')]),
      wanted: { backups: ['new.db', 'old.db'], pending: [] },
      repeats: 'the stream was read',
      returns: { size_bytes: 3, remote: false, remote_error: '' },
    },
  },
  withoutHandEdit: 'Only the panel writes the folder',
})

test('a kill while a backup is copied to S3 leaves neither the encrypted file nor parts of the upload', async (t) => {
  const files = await machine(t)
  await files.write(`${directory}/.sending-old.db`, 'encrypted')
  const s3 = { endpoint: 'https://s3.test', bucket: 'backups', accessKey: '', secretKey: '', region: '' }
  const stored = {
    ...{ prefix: 'web1', isRemote: true, encryptsLocal: false, encryptsRemote: true },
    ...{ schedule: '', keep: 14, maxBytesPerSecond: 0 },
  }
  const ended: string[] = []
  const on = {
    ...partsOn(files),
    settings: { read: async () => ({ ...stored, s3 }) },
    openObjects: () => ({
      ...objectsInMemory(new Map()),
      endUploads: async (prefix: string) => void ended.push(prefix),
    }),
  }
  await putStep(on).recover?.({ filename: 'old.db', from: 'panel', sends: true }, null)
  assert.deepEqual(await files.list(directory), ['old.db'])
  assert.deepEqual(ended, ['web1/panel/old.db'])
})

proveStep<Files>('backups.drop', {
  machine,
  open: (files, door) => dropStep(partsOn(door(files))),
  look,
  cases: { 'a backup': { args: { filename: 'old.db' }, wanted: { backups: [], pending: [] } } },
  withoutHandEdit: 'the step is final',
})

proveStep<Files>('backups.stage', {
  machine,
  open: (files, door) => stageStep(partsOn(door(files))),
  look,
  cases: {
    'a database': {
      args: { filename: 'old.db' },
      wanted: { backups: ['old.db'], pending: ['files.json', 'hostreeve.db'] },
    },
  },
  withoutHandEdit: 'Only the panel writes the folder',
})
