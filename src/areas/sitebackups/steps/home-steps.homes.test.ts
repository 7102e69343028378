import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { pack, unpack } from '../../../tools/tar/archive.ts'
import { countChanged, listEntries } from '../../../tools/tar/list-entries.ts'
import { Copies } from '../copies.ts'
import { Depot } from '../depot.ts'
import type { BackupParts } from '../step-parts.ts'
import { objectsInMemory } from '../../../tools/s3/testing/objects-in-memory.ts'
import { noMariadb } from '../testing/no-mariadb.ts'
import { clearScratch } from './clear.ts'
import { placeRestored } from './place.ts'
import { swapFolder } from './swap.ts'
import { unpackPoint } from './unpack.ts'
import { uploadDump } from './upload-dump.ts'
import { writePoint } from './write-point.ts'

interface Machine {
  readonly files: Files
  readonly home: Bench['alice']
  readonly objects: Map<string, Buffer>
}

let bench: Bench | undefined
after(() => bench?.remove())

/** Backups of their own, and the same home each time, emptied, so that its helper stays warm. */
const machine = (t: Parameters<typeof scratchRoot>[0]): Machine => {
  const { alice } = (bench ??= makeBench())
  for (const name of readdirSync(alice.home)) rmSync(`${alice.home}/${name}`, { recursive: true })
  sh('mkdir -p sites')({ home: alice })
  return { files: openFiles(scratchRoot(t)), home: alice, objects: new Map() }
}

const notUsed = () => Promise.reject(new Error('not used'))
const site = { username: 'alice', domain: 'shop.test' }
const depotFolder = '/var/lib/hostreeve/backups/websites/alice/shop.test'
const sh =
  (script: string) =>
  ({ home }: Pick<Machine, 'home'>) =>
    asOwner(home, 'sh', '-ec', script)

/** What tar and the SQL server write is a part of the call that stores it. */
const partsOn = (machine: Machine, door: Stoppable['door']): BackupParts => {
  const plain = (bench ??= makeBench()).owners.of(machine.home)
  const owner = door(plain)
  const files = door(machine.files)
  const { uid, home } = machine.home
  return {
    depot: new Depot(files),
    copies: new Copies(files, async () => undefined),
    files,
    tools: {
      tar: { countChanged, listEntries, unpack, pack: (_owner, packing) => pack(plain, packing) },
      gpg: { encrypt: notUsed, decrypt: notUsed },
      mariadb: {
        ...noMariadb,
        dump: (database) => Readable.from([Buffer.from(`dump of ${database}`)]),
        seeTables: async () => [{ name: 'orders', rows: 2, writtenAt: null }],
        unchangedTables: async (_database, seen) => seen.map(({ name, rows }) => ({ name, rows })),
      },
    },
    homeOf: async () => ({ owner, uid, home }),
  }
}
const open =
  <Kind>(kindOf: (on: BackupParts) => Kind) =>
  (on: Machine, door: Stoppable['door']) =>
    kindOf(partsOn(on, door))

/** What is in the folder of the websites: `folder/`, `file: content`. */
const inHome = ({ home }: Machine): readonly string[] =>
  readdirSync(`${home.home}/sites`, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => {
      const real = `${home.home}/sites/${path}`
      return lstatSync(real).isDirectory() ? `${path}/` : `${path}: ${readFileSync(real, 'utf8').trim()}`
    })

const lookAtAll = async (on: Machine) => ({
  home: inHome(on),
  backups:
    (await on.files.facts(depotFolder)) === undefined
      ? null
      : readdirSync(on.files.real(depotFolder), { recursive: true, encoding: 'utf8' }).toSorted(),
})

const base = { skip, machine }
const withSite = sh('mkdir -p sites/shop.test; echo one >sites/shop.test/page')
const ofSite = ['shop.test/', 'shop.test/page: one']

const point = {
  ...{ ...site, name: 'default-1', set: 'default', user_id: 1, time_mark: '2026-11-28T00:00:00.000Z' },
  ...{ files: false, databases: [], parent: null, passphrase: null },
  record: {
    ...{ type: 'static', aliases: [], https_redirect: false, hsts: false, settings: null },
    ...{ protected_folders: [], crontab: '', certificate: null, databases: [] },
  },
}

proveStep<Machine>('sitebackups.write-point', {
  ...base,
  open: open(writePoint),
  look: lookAtAll,
  withoutHandEdit: 'only the panel writes the folder of the backups',
  cases: {
    'of files': {
      args: { ...point, files: true },
      arrange: withSite,
      wanted: {
        home: ofSite,
        backups: [
          'default-1',
          'default-1/default-1.tar.gz',
          'default-1/manifest.json',
          'default-1/site.json',
          'default-1/snapshot',
        ],
      },
      repeats: 'the backup is listed, and its name is taken',
      returns: { name: 'default-1', complete: true },
    },
    'of a database': {
      args: { ...point, databases: ['alice_shop'] },
      wanted: {
        home: [],
        backups: [
          'default-1',
          'default-1/database-0.sql.gz',
          'default-1/manifest.json',
          'default-1/site.json',
        ],
      },
      repeats: 'the backup is listed, and its name is taken',
      returns: { name: 'default-1', complete: true },
    },
  },
})

const scratch = '.hostreeve-restore-1'
const restore = { ...site, scratch }

/** A stored backup of one file, and of a database. */
const stored = ({ files, home }: Machine) => {
  const folder = files.real(`${depotFolder}/p1`)
  mkdirSync(folder, { recursive: true })
  sh('mkdir -p made; echo restored >made/page')({ home })
  const pages = `${home.home}/made`
  const archive = `${folder}/files.tar.gz`
  execFileSync('tar', ['-czf', archive, `--listed-incremental=${pages}.snapshot`, '-C', pages, '.'])
  rmSync(pages, { recursive: true })
  rmSync(`${pages}.snapshot`)
  writeFileSync(`${folder}/database-0.sql.gz`, 'dump')
}
const partOf = ({ files }: Machine, file: string) => {
  const content = readFileSync(files.real(`${depotFolder}/p1/${file}`))
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { point: 'p1', part: { file, kind: 'files', size_bytes: content.length, sha256 } }
}

const unpacked = [
  `${scratch}/`,
  `${scratch}/database-0.sql.gz: dump`,
  `${scratch}/site/`,
  `${scratch}/site/page: restored`,
]

proveStep<Machine>('sitebackups.unpack', {
  ...base,
  open: open(unpackPoint),
  look: inHome,
  withoutHandEdit: 'the folder has a name of its own for each restore',
  cases: {
    'files and a database': {
      args: (on) => ({
        ...restore,
        archives: [partOf(on, 'files.tar.gz')],
        dumps: [partOf(on, 'database-0.sql.gz')],
        passphrase: null,
      }),
      arrange: (on) => {
        withSite(on)
        stored(on)
      },
      wanted: [...unpacked, ...ofSite],
    },
  },
})

const withUnpacked = sh(`mkdir -p sites/${scratch}/site; echo restored >sites/${scratch}/site/page`)
const restored = ['shop.test/', 'shop.test/page: restored']
const edit = sh('mkdir -p sites/shop.test; echo mine >sites/shop.test/mine')

proveStep<Machine>('sitebackups.swap', {
  ...base,
  open: open(swapFolder),
  look: inHome,
  cases: {
    'over a folder': {
      args: restore,
      arrange: (on) => {
        withSite(on)
        withUnpacked(on)
      },
      wanted: [`${scratch}/`, `${scratch}/former/`, `${scratch}/former/page: one`, ...restored],
      handEdit: edit,
      onTop: [
        `${scratch}/`,
        `${scratch}/former/`,
        `${scratch}/former/mine: mine`,
        `${scratch}/former/page: one`,
        ...restored,
      ],
    },
    'where there is none': {
      args: restore,
      arrange: withUnpacked,
      wanted: [`${scratch}/`, ...restored],
      handEdit: edit,
      onTop: [`${scratch}/`, `${scratch}/former/`, `${scratch}/former/mine: mine`, ...restored],
    },
  },
})

const inRestores = ({ home }: Machine): readonly string[] =>
  existsSync(`${home.home}/restores`)
    ? readdirSync(`${home.home}/restores`, { recursive: true, encoding: 'utf8' }).toSorted()
    : []

proveStep<Machine>('sitebackups.place', {
  ...base,
  open: open(placeRestored),
  look: (on) => [...inHome(on), ...inRestores(on)],
  withoutHandEdit: 'the folder is new, and has the name of the backup',
  cases: {
    'beside a website': {
      args: { ...restore, name: 'p1' },
      arrange: (on) => {
        withSite(on)
        withUnpacked(on)
      },
      wanted: [...ofSite, 'shop.test-p1', 'shop.test-p1/site', 'shop.test-p1/site/page'],
    },
  },
})

proveStep<Machine>('sitebackups.clear', {
  ...base,
  open: open(clearScratch),
  look: inHome,
  withoutHandEdit: 'the step is final',
  cases: {
    'the former folder': {
      args: restore,
      arrange: (on) => {
        withSite(on)
        sh(`mkdir -p sites/${scratch}/former; echo old >sites/${scratch}/former/page`)(on)
      },
      wanted: ofSite,
    },
  },
})

proveStep<Machine>('sitebackups.upload-dump', {
  ...base,
  open: (on: Machine, door: Stoppable['door']) => {
    const objects = door(objectsInMemory(on.objects))
    const storage = async () => ({
      objects,
      prefix: 'web1',
      encrypts: false,
      passphrase: async () => null,
      urlOf: (key: string) => `https://s3.test/backups/${key}`,
    })
    return uploadDump({ ...partsOn(on, door), storage })
  },
  look: (on) => [...on.objects.keys()],
  withoutHandEdit: 'the step is final',
  cases: {
    'a dump': {
      args: { username: 'alice', file: 'db/shop.sql.gz' },
      arrange: sh('mkdir -p db; echo dump >db/shop.sql.gz'),
      wanted: ['web1/databases/alice/shop.sql.gz'],
      returns: { url: 'https://s3.test/backups/web1/databases/alice/shop.sql.gz' },
    },
  },
})
