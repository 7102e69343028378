import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import type { Owner } from '../../host/owner/index.ts'
import { dropDatabase, findDatabases, listDatabases } from './databases.ts'
import { dropImportAccounts, importDatabase } from './import-database.ts'
import { setAccount } from './set-account.ts'
import { type StandInMongodb, standInMongodb } from './testing/stand-in.ts'

function machine(): StandInMongodb {
  const server = standInMongodb()
  server.databases.set('ada_shop', 'now').set('bob_shop', 'secret').set('admin', '')
  return server
}

const accounts = ({ accounts: all }: StandInMongodb) => all.map(({ user, db, pwd }) => `${user}@${db} ${pwd}`)
const databases = (server: StandInMongodb) => Object.fromEntries([...server.databases].toSorted())
const rest = { admin: '', bob_shop: 'secret' }
const former = (server: StandInMongodb) =>
  void server.accounts.push({ user: 'ada_shoper', db: 'ada_shop', pwd: 'former', roles: [] })

proveStep<StandInMongodb>('mongodb.drop-database', {
  machine,
  open: ({ connection }, door) => dropDatabase(door(connection)),
  look: databases,
  withoutHandEdit: 'the step is final',
  cases: { 'one of several': { args: { name: 'ada_shop' }, wanted: rest } },
})

const args = { username: 'ada_shoper', database: 'ada_shop', password: 'new' }

proveStep<StandInMongodb>('mongodb.set-account', {
  machine,
  open: ({ connection }, door) => setAccount(door(connection)),
  look: accounts,
  withoutHandEdit: 'only the server knows what an account was before',
  cases: {
    'a new one': { args, wanted: ['ada_shoper@ada_shop new'] },
    'a new password': { args, arrange: former, wanted: ['ada_shoper@ada_shop new'] },
    'a removed one': { args: { ...args, password: null }, arrange: former, wanted: [] },
  },
})

/** A home whose archives are text; the program in it is as privileged as the account that it is given. */
const homeOf = (server: StandInMongodb, archives: Readonly<Record<string, string>>): Pick<Owner, 'run'> => ({
  run: async (argv, { file, sockets } = {}) => {
    const valueOf = (name: string) =>
      argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? ''
    const content = archives[valueOf('archive').replace('./', '')]
    const [, user, pwd] = /^uri: "mongodb:\/\/([^:]+):([^@]+)@/.exec(file?.content ?? '') ?? []
    assert.equal(sockets?.length, 1)
    const account = server.accounts.find((each) => each.user === user && each.pwd === pwd)
    const database = valueOf('nsTo').split('.')[0] ?? ''
    assert.deepEqual(
      account?.roles.map(({ db }) => db),
      [database, database],
    )
    const failed = { code: 1, stderr: `Failed: no archive, said ${pwd}\n` }
    const done = {
      code: 0,
      stderr: '3 document(s) restored successfully. 0 document(s) failed to restore.\n',
    }
    if (content !== undefined) server.databases.set(database, content)
    else server.databases.set(database, 'broken off')
    const outcome = content === undefined ? failed : done
    return { stdout: '', isCut: false, durationMs: 0, ...outcome }
  },
})

const importing = (server: StandInMongodb, door: Stoppable['door'] = (thing) => thing) =>
  importDatabase({
    connection: door(server.connection),
    ownerOf: async () => door(homeOf(server, { 'db/a.gz': 'imported', 'db/safe.gz': 'now' })),
    port: async () => 27017,
  })
const order = { username: 'ada', database: 'ada_shop', file: 'db/a.gz' }

proveStep<StandInMongodb>('mongodb.import', {
  machine,
  open: importing,
  look: databases,
  withoutHandEdit: 'the step is final',
  cases: {
    'an archive': {
      args: order,
      wanted: { ...rest, ada_shop: 'imported' },
      returns: { statements: 3 },
    },
  },
})

test('an import that fails restores the safety dump, tells no password, and leaves no account', async () => {
  const server = machine()
  const kind = importing(server)
  const wrong = { ...order, file: 'db/none.gz' }
  await assert.rejects(kind.act({ ...wrong, safety: 'db/safe.gz' }, stepRun(null)), {
    message: 'MongoDB: Failed: no archive, said …',
  })
  assert.deepEqual([server.databases.get('ada_shop'), server.accounts], ['now', []])
  await assert.rejects(kind.act(wrong, stepRun(null)), /no archive/)
  assert.equal(server.databases.get('ada_shop'), 'broken off')
})

test('accounts of imports that were killed are removed, and no others', async () => {
  const server = machine()
  former(server)
  server.accounts.push({ user: 'hostreeve-import-0123456789ab', db: 'ada_shop', pwd: 'x', roles: [] })
  await dropImportAccounts(server.connection)
  assert.deepEqual(accounts(server), ['ada_shoper@ada_shop former'])
})

test('lists the databases of others than the server, and reads those that are named', async () => {
  const { connection } = machine()
  assert.deepEqual(
    (await listDatabases(connection)).map(({ name }) => name),
    ['ada_shop', 'bob_shop'],
  )
  const found = await findDatabases(connection, ['bob_shop', 'missing', 'admin'])
  assert.deepEqual([...found], [['bob_shop', { sizeBytes: 6, documents: 6, collections: 1 }]])
})
