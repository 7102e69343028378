import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { objectsInMemory } from '../../../tools/s3/testing/objects-in-memory.ts'
import { Copies } from '../copies.ts'
import { Depot } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'
import { noMariadb } from '../testing/no-mariadb.ts'
import { copyPoint } from './copy.ts'
import { fetchPoints } from './fetch.ts'
import { removeCopies } from './remove-copies.ts'

const site = { username: 'alice', domain: 'shop.test' }
const folder = '/var/lib/hostreeve/backups/websites/alice/shop.test'
const notUsed = () => Promise.reject(new Error('not used'))
const noStream = () => {
  throw new Error('not used')
}

interface Machine {
  readonly files: Files
  readonly objects: Map<string, Buffer>
}

const open =
  <Kind>(kindOf: (on: BackupParts) => Kind) =>
  (machine: Machine, door: Stoppable['door']) => {
    const files = door(machine.files)
    const objects = door(objectsInMemory(machine.objects))
    return kindOf({
      depot: new Depot(files),
      copies: new Copies(files, async () => ({ objects, prefix: '/web1/' })),
      files,
      tools: {
        tar: { countChanged: notUsed, listEntries: notUsed, pack: noStream, unpack: notUsed },
        gpg: { encrypt: notUsed, decrypt: notUsed },
        mariadb: { ...noMariadb, dump: noStream },
      },
      homeOf: notUsed,
    })
  }

/** The files of a backup, by their names. */
function pointFiles(name: string): ReadonlyMap<string, string> {
  const content = `archive of ${name}`
  const sha256 = createHash('sha256').update(content).digest('hex')
  const manifest = {
    ...{ version: 1, name, set: 'default', ...site, user_id: 1, time_mark: '2026-11-28T00:00:00.000Z' },
    ...{ chain: name, parent: null, position: 0, encrypted: false, key_id: null },
    ...{ files: { entries: 1, bytes: 1 }, databases: [], complete: true, omitted: [], omitted_count: 0 },
    parts: [{ file: 'files.tar.gz', kind: 'files', size_bytes: content.length, sha256 }],
  }
  return new Map([
    ['files.tar.gz', content],
    ['manifest.json', JSON.stringify(manifest)],
  ])
}

const placeHere = ({ files }: Machine, name: string) => {
  const path = files.real(`${folder}/${name}`)
  mkdirSync(path, { recursive: true })
  for (const [file, content] of pointFiles(name)) writeFileSync(`${path}/${file}`, content)
}
const placeThere = ({ objects }: Machine, name: string) => {
  for (const [file, content] of pointFiles(name))
    objects.set(`web1/websites/alice/shop.test/${name}/${file}`, Buffer.from(content))
}
const keysOf = (name: string) =>
  ['files.tar.gz', 'manifest.json'].map((file) => `web1/websites/alice/shop.test/${name}/${file}`)

const base = {
  machine: (t: Parameters<typeof scratchRoot>[0]) => ({
    files: openFiles(scratchRoot(t)),
    objects: new Map(),
  }),
  look: async ({ files, objects }: Machine) => ({
    here: await files.list(folder),
    there: [...objects.keys()].toSorted(),
  }),
}

proveStep<Machine>('sitebackups.copy', {
  ...base,
  open: open(copyPoint),
  withoutHandEdit: 'the step is final',
  cases: {
    'a backup of this host': {
      args: { ...site, name: 'p1', passphrase: null },
      arrange: (machine) => placeHere(machine, 'p1'),
      wanted: { here: ['p1'], there: keysOf('p1') },
    },
  },
})

proveStep<Machine>('sitebackups.remove-copies', {
  ...base,
  open: open(removeCopies),
  withoutHandEdit: 'the step is final',
  cases: {
    'two of three': {
      args: { ...site, names: ['p2', 'p1'] },
      arrange: (machine) => ['p1', 'p2', 'p3'].forEach((name) => placeThere(machine, name)),
      wanted: { here: [], there: keysOf('p3') },
    },
  },
})

proveStep<Machine>('sitebackups.fetch', {
  ...base,
  open: open(fetchPoints),
  withoutHandEdit: 'only the panel writes into the folder of backups',
  cases: {
    'the one that is missing of two': {
      args: { ...site, names: ['p1', 'p2'] },
      arrange: (machine) => {
        placeHere(machine, 'p1')
        placeThere(machine, 'p1')
        placeThere(machine, 'p2')
      },
      wanted: { here: ['p1', 'p2'], there: [...keysOf('p1'), ...keysOf('p2')] },
    },
  },
})
