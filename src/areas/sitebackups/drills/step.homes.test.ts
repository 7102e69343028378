import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { unpack } from '../../../tools/tar/archive.ts'
import { countChanged, listEntries } from '../../../tools/tar/list-entries.ts'
import { Copies } from '../copies.ts'
import { Depot } from '../depot.ts'
import { createBackupDrills } from '../migrations/202611291550-backup-drills.ts'
import { noMariadb } from '../testing/no-mariadb.ts'
import { drillStep } from './step.ts'
import { drillQueries } from './store.ts'

interface Machine {
  readonly files: Files
  readonly home: Bench['alice']
  readonly store: Store
}

let bench: Bench | undefined
after(() => bench?.remove())

const site = { username: 'alice', domain: 'shop.test' }
const depotFolder = '/var/lib/hostreeve/backups/websites/alice/shop.test'
const withWebsite = {
  name: '202611280000-website-of-the-test',
  statements: ['create table websites (id integer primary key)', 'insert into websites values (1)'],
}

async function machine(t: TestContext): Promise<Machine> {
  const { alice } = (bench ??= makeBench())
  for (const name of readdirSync(alice.home)) rmSync(`${alice.home}/${name}`, { recursive: true })
  const store = await openStore({ migrations: [withWebsite, createBackupDrills], now: new Date() })
  t.after(() => store.close())
  const made = { files: openFiles(scratchRoot(t)), home: alice, store }
  asOwner(alice, 'sh', '-ec', 'mkdir -p sites/shop.test; echo one >sites/shop.test/page')
  storeBackup(made)
  return made
}

/** A backup of the folder of the website, and of a database. */
function storeBackup({ files, home }: Machine): void {
  const folder = files.real(`${depotFolder}/p1`)
  mkdirSync(folder, { recursive: true })
  const pages = `${home.home}/sites/shop.test`
  const snapshot = `--listed-incremental=${folder}/snapshot`
  execFileSync('tar', ['-czf', `${folder}/files.tar.gz`, snapshot, '-C', pages, '.'])
  writeFileSync(`${folder}/database-0.sql.gz`, 'dump')
  const database = { name: 'alice_shop', charset: 'utf8mb4', collation: 'utf8mb4_bin', accounts: [] }
  const record = {
    ...{ type: 'static', aliases: [], https_redirect: false, hsts: false, settings: null },
    ...{ protected_folders: [], crontab: '', certificate: null, databases: [database] },
  }
  writeFileSync(`${folder}/site.json`, JSON.stringify(record))
  const partOf = (file: string, kind: string, more: object = {}) => {
    const content = readFileSync(`${folder}/${file}`)
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { file, kind, size_bytes: content.length, sha256, ...more }
  }
  const manifest = {
    ...{ version: 1, name: 'p1', set: 'default', ...site, user_id: 1 },
    ...{ time_mark: '2026-11-28T00:00:00.000Z', chain: 'p1', parent: null, position: 0 },
    ...{ encrypted: false, key_id: null, files: { entries: 1, bytes: 4, changed: 0 } },
    ...{ databases: ['alice_shop'], complete: true, omitted: [], omitted_count: 0 },
    parts: [
      partOf('files.tar.gz', 'files'),
      partOf('database-0.sql.gz', 'database', {
        database: 'alice_shop',
        tables: [{ name: 'orders', rows: 2 }],
      }),
      partOf('site.json', 'record'),
    ],
  }
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(manifest))
}

/** The server is one call: it holds the dump or does not. */
function open({ files: real, home, store }: Machine, door: Stoppable['door']) {
  const [files, owner] = [door(real), door((bench ??= makeBench()).owners.of(home))]
  const notUsed = () => Promise.reject(new Error('not used'))
  return drillStep({
    store,
    depot: new Depot(files),
    copies: new Copies(files, async () => undefined),
    files,
    tools: {
      tar: {
        ...{ countChanged, listEntries, unpack },
        pack: () => {
          throw new Error('not used')
        },
      },
      gpg: { encrypt: notUsed, decrypt: notUsed },
      mariadb: {
        ...noMariadb,
        dump: () => {
          throw new Error('not used')
        },
        rehearse: async () => [{ name: 'orders', rows: 2, writtenAt: null }],
        removeRehearsed: async () => {},
      },
    },
    homeOf: async () => ({ owner, uid: home.uid, home: home.home }),
  })
}

/** The home and the folder of the panel, and what was stored. */
async function look({ files, home, store }: Machine) {
  const all = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const drills = await drillQueries(store).allDrills()
  return {
    home: all(home.home).filter((name) => !name.startsWith('db')),
    fetched: await files.list('/var/lib/hostreeve/backups/drills'),
    drills: drills.map(({ backup, passed, message }) => [backup, passed, message]),
  }
}

proveStep<Machine>('sitebackups.drill', {
  skip,
  machine,
  open,
  look,
  withoutHandEdit: 'the step is final',
  cases: {
    'a backup of files and a database': {
      args: {
        ...{ job_id: 7, website_id: 1, user_id: 1, ...site, name: 'p1', source: 'local' },
        ...{ hasDatabases: true, passphrase: null },
      },
      wanted: {
        home: ['sites', 'sites/shop.test', 'sites/shop.test/page'],
        fetched: [],
        drills: [['p1', 1, '']],
      },
      repeats: 'each drill is stored',
      returns: { passed: true, message: '' },
    },
  },
})
