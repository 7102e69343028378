import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../../host/files.ts'
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
