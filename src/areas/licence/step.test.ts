import { readFileSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { licenceFor, licencePublicKey, signed } from '../../../test/support/licence-server.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles } from '../../host/files.ts'
import { publicKeyOf } from './document.ts'
import { openLicenceFile } from './file.ts'
import { activateStep } from './step.ts'

const path = '/license.json'
const former = signed(licenceFor({ key: 'FORMER', expires_at: '2020-01-01T00:00:00Z' }))
const granted = signed(licenceFor({ key: 'KEY' }))
const now = () => new Date('2026-11-23T08:00:00Z')
const names = async () => [os.hostname()]

proveStep<string>('licence.activate', {
  machine: (t) => scratchRoot(t),
  open: (root, door) => {
    const publicKey = publicKeyOf(licencePublicKey)
    const file = openLicenceFile({ files: door(openFiles(root)), path, publicKey, names })
    return activateStep({ file, ask: async () => granted, now })
  },
  look: (root) => {
    const facts = statSync(`${root}${path}`, { throwIfNoEntry: false })
    return facts ? [facts.mode & 0o777, readFileSync(`${root}${path}`, 'utf8')] : null
  },
  cases: {
    'stores a first licence that only its owner can read': {
      args: { key: 'KEY' },
      wanted: [0o600, granted],
      returns: { success: true, tier: 'gold' },
    },
    'replaces one that has expired': {
      args: { key: 'KEY' },
      arrange: (root) => writeFileSync(`${root}${path}`, former, { mode: 0o600 }),
      wanted: [0o600, granted],
      returns: { success: true, tier: 'gold' },
    },
  },
  withoutHandEdit: 'Only the panel writes the file',
})
