import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { identifier, sql } from '../../host/apply/steps.ts'
import { openFiles } from '../../host/files.ts'
import { run } from '../../host/run.ts'
import { prepareServer } from './access.ts'
import { createDatabase, dropDatabase, findCollations, findDatabases, listDatabases } from './databases.ts'
import { verifierOf } from './password-hash.ts'
import { findAccounts, setAccount } from './roles.ts'
import { openServer, textOf } from './server.ts'
import { type ScratchPostgresql, startPostgresql } from './testing/scratch-postgresql.ts'

let scratch: ScratchPostgresql
before(async () => {
  scratch = await startPostgresql()
  await prepare()
})
after(() => scratch.stop())

const root = () => openServer(scratch.place)
const prepare = () => prepareServer({ server: root(), files: openFiles('/') })
const sqlAs = (user: string, password: string, database: string, text: string) =>
  run(
    [
      ...['/usr/lib/postgresql/15/bin/psql', '--no-psqlrc', '--no-align', '--tuples-only', '--quiet'],
      ...['--set=ON_ERROR_STOP=1', `--host=${scratch.place.socketFolder}`, `--username=${user}`, database],
    ] as unknown as [string, ...string[]],
    { input: text, env: { PGPASSWORD: password } },
  )

const create = (door: Stoppable['door'] = (thing) => thing) =>
  createDatabase({ server: door(root()), prepare: door(prepare) })
const args = { name: 'ann_shop', charset: 'UTF8', collation: 'C.utf8' }

async function clear(): Promise<object> {
  await root().run(sql`drop database if exists ann_shop with (force)`)
  for (const role of ['ann_app', 'ann_shop:owner', 'ann_shop:client', 'guest'])
    await root().run(sql`drop role if exists ${identifier(role)}`)
  return {}
}
const existing = async () => {
  await clear()
  await create().act(args, stepRun(await create().observe(args)))
}
const byHand = async () => {
  await clear()
  await root().run(sql`create database ann_shop template template0`)
}

async function look() {
  const { charset, collation } = (await findDatabases(root(), ['ann_shop'])).get('ann_shop') ?? {}
  const roles = await root().run(sql`select rolname from pg_roles where rolname like 'ann%' order by 1`)
  return { charset, collation, roles: roles.map(({ rolname }) => rolname) }
}

proveStep<object>('postgresql.create-database', {
  machine: clear,
  open: (_machine, door) => create(door),
  look,
  cases: {
    'a new database': {
      args: { ...args, collation: 'C' },
      wanted: { charset: 'UTF8', collation: 'C', roles: ['ann_shop:owner'] },
      handEdit: byHand,
      refusedAfter: byHand,
    },
  },
})

proveStep<object>('postgresql.drop-database', {
  machine: clear,
  open: (_machine, door) => dropDatabase(door(root())),
  look,
  withoutHandEdit: 'it is final',
  cases: {
    'a database': {
      args: { name: 'ann_shop' },
      arrange: existing,
      wanted: { charset: undefined, collation: undefined, roles: [] },
    },
  },
})

const account = { username: 'ann_app', database: 'ann_shop' }
const [first, second] = [verifierOf('first'), verifierOf('second')]
const added = (verifier: string) => async () => {
  await existing()
  const kind = setAccount(root())
  const order = { ...account, verifier }
  await kind.act(order, stepRun(await kind.observe(order)))
}

async function lookAtAccount() {
  const [row] = await root().run(
    sql`select rolpassword, rolcanlogin::int login from pg_authid where rolname = 'ann_app'`,
  )
  const groups = await root().run(
    sql`select r.rolname from pg_auth_members m join pg_roles r on r.oid = roleid
      join pg_roles u on u.oid = member where u.rolname = 'ann_app' order by 1`,
  )
  return row === undefined ? null : { ...row, groups: groups.map(({ rolname }) => rolname) }
}
const groups = ['ann_shop:owner', 'hostreeve:websites']
const byPerson = verifierOf('by hand')
const edited = async () => {
  await clear()
  await root().run(sql`create role ann_app login password ${byPerson}`)
}

proveStep<object>('postgresql.set-account', {
  machine: async () => {
    await existing()
    return {}
  },
  open: (_machine, door) => setAccount(door(root())),
  look: lookAtAccount,
  cases: {
    'a new account': {
      args: { ...account, verifier: first },
      wanted: { rolpassword: first, login: 1, groups },
      handEdit: edited,
    },
    'another password': {
      args: { ...account, verifier: second },
      arrange: added(first),
      wanted: { rolpassword: second, login: 1, groups },
    },
    'a removal': { args: { ...account, verifier: null }, arrange: added(first), wanted: null },
  },
})

test('an account has all rights on its database and enters no other; what it makes belongs to all users of the database', async () => {
  const everyByte = Array.from({ length: 254 }, (_, code) => String.fromCharCode(code + 2)).join('')
  await added(verifierOf(everyByte))()
  const made = await sqlAs(
    'ann_app',
    everyByte,
    'ann_shop',
    "create table t (a int); insert into t values (1); select tableowner from pg_tables where tablename = 't'",
  )
  assert.deepEqual([made.code, made.stdout], [0, 'ann_shop:owner\n'], made.stderr)
  for (const password of ['wrong', 'tr\u00e4um\u00a0e', 'I\u00adX', '\u2168'])
    assert.notEqual((await sqlAs('ann_app', password, 'ann_shop', 'select 1')).code, 0)
  for (const database of ['postgres', 'template1'])
    assert.match((await sqlAs('ann_app', everyByte, database, 'select 1')).stderr, /rejects connection/)
  for (const text of ['create role x', 'create database x', 'drop database ann_shop', 'set role postgres'])
    assert.notEqual((await sqlAs('ann_app', everyByte, 'ann_shop', text)).code, 0, text)
  await root().run(sql`create role guest login password ${verifierOf('guest')} in role "hostreeve:websites"`)
  assert.match(
    (await sqlAs('guest', 'guest', 'ann_shop', 'select 1')).stderr,
    /permission denied for database/,
  )
})

test('takes passwords as clients prepare them', async () => {
  for (const password of ['tr\u00e4um\u00a0e', 'I\u00adX', '\u2168', 'line\nbreak', 'ﬁ\u0308']) {
    await added(verifierOf(password))()
    assert.equal((await sqlAs('ann_app', password, 'ann_shop', 'select 1')).code, 0, JSON.stringify(password))
  }
})

test('removes an account whose owner has set traps for the superuser', async () => {
  await added(first)()
  const trap = `reset role; create schema mine; create table mine.t (a int); set role "ann_shop:owner";
    create function public.trap() returns int language plpgsql as $$ begin alter role ann_app superuser; return 1; end $$;
    create function public.count() returns bigint language sql as 'select public.trap()::bigint';
    alter database ann_shop set search_path = public, pg_catalog;
    alter database ann_shop set role = 'ann_shop:owner';
    alter database ann_shop set default_transaction_read_only = on;`
  const set = await sqlAs('ann_app', 'first', 'ann_shop', trap)
  assert.equal(set.code, 0, set.stderr)
  const kind = setAccount(root())
  const order = { ...account, verifier: null }
  await kind.act(order, stepRun(await kind.observe(order)))
  assert.deepEqual(await findAccounts(root(), 'ann_app'), [])
  assert.equal((await findDatabases(root(), ['ann_shop'])).size, 1)
})

test('lists the collations of a character set, and the databases of the server', async () => {
  const all = await findCollations(root())
  assert.deepEqual(
    all.find(({ charset }) => charset === 'UTF8'),
    { charset: 'UTF8', collation: 'C.utf8' },
  )
  assert.deepEqual(
    all.find(({ charset }) => charset === 'LATIN1'),
    { charset: 'LATIN1', collation: 'C' },
  )
  await existing()
  const found = await listDatabases(root())
  assert.deepEqual(
    found.map(({ name, owner }) => [name, owner]),
    [['ann_shop', 'ann_shop:owner']],
  )
})

test('quotes values so that no setting of the server changes their meaning', async () => {
  const hard = ["'", "\\'", "\\\\';select 1--", '$$', ':name', "E'\\''", 'ü€😀', '\n\\! touch /tmp/x\n']
  for (const value of hard)
    assert.deepEqual(await root().run(sql`select ${value}::text as found`), [{ found: value }], value)
  assert.throws(() => textOf(sql`select ${'\0'}`), /character 0/)
  assert.equal(textOf(sql`${identifier('a"b')}`), '"a""b"')
})
