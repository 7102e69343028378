import { mkdirSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { type Files, openFiles } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { openServices, type Services } from '../../host/services.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { createAccount, dropAccount } from './accounts.ts'
import { awaitAnswer } from './await-answer.ts'
import { type BackupParts, backupRoot, dumpAll, removeBackup } from './backups.ts'
import { restoreAll } from './restore.ts'
import { switchProgram } from './switch-program.ts'
import { mongoTools, type StandInMongodb, standInMongodb } from './testing/stand-in.ts'

interface Machine {
  readonly server: StandInMongodb
  readonly files: Files
  readonly run: Run
  readonly service: { isActive: boolean; isEnabled: boolean }
  readonly services: Services
}

type Door = Stoppable['door']

function machine(t: Parameters<typeof scratchRoot>[0]): Machine {
  const server = standInMongodb()
  const service = { isActive: true, isEnabled: true }
  const files = openFiles(scratchRoot(t))
  mkdirSync(files.real('/run/systemd/system'), { recursive: true })
  const { run } = scriptedRun(mongoTools(server), scriptSystemd(new Map([['mongod', service]])))
  return { server, files, run, service, services: openServices(run, files) }
}

const partsOf = ({ files, run }: Machine, door: Door): BackupParts => ({
  files: door(files),
  run: door(run),
  port: async () => 27017,
})
const accounts = ({ server }: Machine) => server.accounts.map(({ user, db }) => `${user}@${db}`)
const shop = { username: 'shop', database: 'shop' }
const addShop = ({ server }: Machine) =>
  void server.accounts.push({ user: 'shop', db: 'shop', pwd: 'x', roles: [{ role: 'read', db: 'shop' }] })

proveStep<Machine>('mongodb.create-account', {
  machine,
  open: ({ server }, door) => createAccount(door(server.connection)),
  look: accounts,
  cases: {
    'a new one': {
      args: { ...shop, password: 'p', role: 'readWrite' },
      wanted: ['shop@shop'],
      handEdit: addShop,
      refusedAfter: addShop,
    },
  },
})

proveStep<Machine>('mongodb.drop-account', {
  machine,
  open: ({ server }, door) => dropAccount(door(server.connection)),
  look: accounts,
  withoutHandEdit: 'the step is final',
  cases: { 'one that exists': { args: shop, arrange: addShop, wanted: [] } },
})

proveStep<Machine>('mongodb.await-answer', {
  machine,
  open: ({ server }, door) => awaitAnswer(door(server.connection), async () => true),
  look: () => null,
  withoutHandEdit: 'it changes nothing',
  cases: { 'a server that answers': { args: null, wanted: null } },
})

proveStep<Machine>('mongodb.switch-program', {
  machine,
  open: ({ services }, door) => switchProgram(door(services)),
  look: ({ service }) => service.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

const name = '2026-11-28_133000'
const place = ({ files }: Machine, backup: string, databases: Readonly<Record<string, string>>) => {
  for (const [database, content] of Object.entries(databases)) {
    const folder = files.real(`${backupRoot}/${backup}/${database}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/all.bson.gz`, content)
  }
}
const backups = ({ files }: Machine) => files.list(backupRoot)

proveStep<Machine>('mongodb.dump', {
  machine,
  open: (on, door) => dumpAll(partsOf(on, door)),
  look: backups,
  withoutHandEdit: 'only the panel writes there',
  cases: {
    'all databases': {
      args: { name },
      arrange: ({ server }) => void server.databases.set('shop', 'former'),
      wanted: [name],
      refusedAfter: (on) => place(on, name, { shop: 'other' }),
    },
  },
})

proveStep<Machine>('mongodb.remove-backup', {
  machine,
  open: ({ files }, door) => removeBackup(door(files)),
  look: backups,
  withoutHandEdit: 'the step is final',
  cases: {
    'one of two': {
      args: { name },
      arrange: (on) => {
        place(on, name, { shop: 'a' })
        place(on, '2026-11-27_133000', { shop: 'a' })
      },
      wanted: ['2026-11-27_133000'],
    },
  },
})

const safety = '2026-11-28_140000-before-restore'

proveStep<Machine>('mongodb.restore', {
  machine,
  open: (on, door) => restoreAll({ ...partsOf(on, door), connection: door(on.server.connection) }),
  look: ({ server }) => Object.fromEntries([...server.databases].toSorted()),
  withoutHandEdit: 'the safety backup has what clients wrote until then',
  cases: {
    'a database that changed, one that is gone and one that is new': {
      args: { name, safety },
      arrange: (on) => {
        place(on, name, { shop: 'backup', gone: 'backup', admin: 'accounts' })
        place(on, safety, { shop: 'now', later: 'now', admin: 'accounts' })
        on.server.databases.set('shop', 'now').set('later', 'now').set('admin', 'accounts')
      },
      wanted: { admin: 'accounts', gone: 'backup', later: 'now', shop: 'backup' },
    },
  },
})
