import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Files, openFiles } from '../../../host/files.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { Copies } from '../copies.ts'
import { Depot } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'
import { noMariadb } from '../testing/no-mariadb.ts'
import { pruneSet } from './prune.ts'
import { removePoint } from './remove.ts'

const site = { username: 'alice', domain: 'shop.test' }
const folder = '/var/lib/hostreeve/backups/websites/alice/shop.test'
const notUsed = () => Promise.reject(new Error('not used'))
const noStream = () => {
  throw new Error('not used')
}

/** The parts of the steps that need the depot alone. */
const partsOn = (files: Files): BackupParts => ({
  depot: new Depot(files),
  copies: new Copies(files, async () => undefined),
  files,
  tools: {
    tar: { countChanged: notUsed, listEntries: notUsed, pack: noStream, unpack: notUsed },
    gpg: { encrypt: notUsed, decrypt: notUsed },
    mariadb: { ...noMariadb, dump: noStream },
  },
  homeOf: notUsed,
})

const place = (files: Files, name: string, parent: string | null, set = 'default') => {
  const content = `archive of ${name}`
  const manifest = {
    ...{ version: 1, name, set, ...site, user_id: 1, time_mark: `2026-11-28T00:00:0${name.at(-1)}.000Z` },
    ...{ chain: parent ?? name, parent, position: parent === null ? 0 : 1, encrypted: false, key_id: null },
    ...{ files: { entries: 1, bytes: 1 }, databases: [], complete: true, omitted: [], omitted_count: 0 },
    parts: [
      {
        file: 'files.tar.gz',
        kind: 'files',
        size_bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    ],
  }
  const path = files.real(`${folder}/${name}`)
  mkdirSync(path, { recursive: true })
  writeFileSync(`${path}/files.tar.gz`, content)
  writeFileSync(`${path}/manifest.json`, JSON.stringify(manifest))
}

const machine = (t: Parameters<typeof scratchRoot>[0]) => openFiles(scratchRoot(t))
/** The names in the folder of the website; null if there is none. */
const look = async (files: Files) => ((await files.facts(folder)) === undefined ? null : files.list(folder))
const base = { machine, look, withoutHandEdit: 'the step is final' }
const open =
  <Kind>(kindOf: (on: BackupParts) => Kind) =>
  (files: Files, door: Stoppable['door']) =>
    kindOf(partsOn(door(files)))

proveStep<Files>('sitebackups.remove', {
  ...base,
  open: open(removePoint),
  cases: {
    'one of two': {
      args: { ...site, name: 'p2' },
      arrange: (files) => ['p1', 'p2'].forEach((name) => place(files, name, null)),
      wanted: ['p1'],
    },
    'the last one, with the folder of the website': {
      args: { ...site, name: 'p1' },
      arrange: (files) => place(files, 'p1', null),
      wanted: null,
    },
  },
})

proveStep<Files>('sitebackups.prune', {
  ...base,
  open: open(pruneSet),
  cases: {
    'two chains, and another set': {
      args: { ...site, set: 'default', keep: 1 },
      arrange: (files) => {
        place(files, 'p1', null)
        place(files, 'p2', 'p1')
        place(files, 'o3', null, 'other')
        place(files, 'p4', null)
        place(files, 'p5', 'p4')
      },
      wanted: ['o3', 'p4', 'p5'],
    },
    'those of an age, and the newest at any age': {
      args: { ...site, set: 'default', keep: 9, before: '2026-12-01T00:00:00.000Z' },
      callsAsIn: 'two chains, and another set',
      arrange: (files) => {
        place(files, 'p1', null)
        place(files, 'p2', null)
        place(files, 'p3', 'p2')
      },
      wanted: ['p2', 'p3'],
    },
    'nothing beyond the number to keep': {
      args: { ...site, set: 'default', keep: 2 },
      callsAsIn: 'two chains, and another set',
      arrange: (files) => place(files, 'p1', null),
      wanted: ['p1'],
    },
  },
})

test('a backup that a change could not go back to stays, under another name', async (t) => {
  const files = machine(t)
  const depot = new Depot(files)
  place(files, 'before-1', null, 'before-restore')
  await depot.rename(site, 'before-1', 'before-1-kept')
  await depot.rename(site, 'before-1', 'before-1-kept') // it is there already
  await depot.remove(site, 'before-1')
  const [kept, ...others] = await depot.points(site)
  assert.deepEqual([kept?.name, kept?.parts.length, others], ['before-1-kept', 1, []])
})
