import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { until } from '../../../../test/support/until.ts'
import { Problem } from '../../../core/problem.ts'
import { identifier, sql, type SqlConnection } from '../../../host/apply/steps.ts'
import { connect } from '../../../host/connect/index.ts'
import { asOwner, type Bench, makeBench } from '../../../host/owner/testing/homes.ts'
import { run } from '../../../host/run.ts'
import { type ScratchMariadb, startMariadb } from '../../../host/testing/scratch-mariadb.ts'
import { dumpDatabase } from '../dump.ts'
import { dropImportAccounts } from './account.ts'
import { importFile, type Importing } from './import.ts'
import { ImportFailed, NotSql, StatementRefused } from '../../sql-import/problems.ts'

let server: ScratchMariadb
let bench: Bench
let on: Importing & { readonly connection: SqlConnection }
let socketPath: string
before(async () => {
  server = await startMariadb({ hasBinaryLog: true })
  bench = makeBench()
  socketPath = 'socketPath' in server.target.at ? server.target.at.socketPath : ''
  on = {
    socketPath,
    connection: connect.sql(server.target),
    session: connect.session(server.target),
    active: new Set(),
    alone: new KeyedMutex(),
  }
})
after(async () => {
  await bench.remove()
  await server.stop()
})

const definer = { username: 'ada_app', host: '%' }
const ask = (text: string) => on.connection.run({ parts: [text], values: [] })
const client = (database: string, text: string) =>
  execFileSync(
    'mariadb',
    [
      '--no-defaults',
      '-uroot',
      '--batch',
      '--default-character-set=utf8mb4',
      `--socket=${socketPath}`,
      database,
    ],
    {
      input: text,
      encoding: 'utf8',
    },
  )

beforeEach(async () => {
  asOwner(bench.alice, 'sh', '-c', 'rm -rf db; mkdir db')
  for (const name of ['ada_shop', 'adaxshop', 'bob_shop']) {
    await on.connection.run(sql`drop database if exists ${identifier(name)}`)
    await on.connection.run(sql`create database ${identifier(name)} character set utf8mb4`)
  }
  await on.connection.run(sql`create or replace user ${'ada_app'}@${'%'} identified by 'x'`)
  await ask('grant all on `ada\\_shop`.* to ada_app@`%`')
})

const owner = () => bench.owners.of(bench.alice)
const put = (name: string, content: string | Uint8Array) => owner().write(`db/${name}`, Buffer.from(content))
const load = async (path: string, options: { signal?: AbortSignal; reported?: number[] } = {}) =>
  importFile(
    on,
    { owner: owner(), database: 'ada_shop', path: `db/${path}`, definer },
    {
      signal: options.signal ?? new AbortController().signal,
      onProgress: (bytes) => options.reported?.push(bytes),
    },
  )
const loadText = async (text: string | Uint8Array, name = 'dump.sql') => {
  await put(name, text)
  return load(name)
}
const is = (kind: unknown, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.match(error.message, message)
  assert.equal(error.kind, kind)
  return true
}
const dumped = async (database: string) =>
  gunzipSync(
    await buffer(
      dumpDatabase({ run, socketPath }, database, {
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    ),
  )
const leftOvers = async () => [
  ...(await ask("select User from mysql.user where User like 'hostreeve%'")),
  ...readdirSync(`${bench.alice.home}/db`).filter((name) => name.startsWith('.')),
]

/** A database with views, routines, triggers and events, made by root. */
const everything = readFileSync(new URL('testing/everything.sql', import.meta.url), 'utf8')

test('a database with every type, views, routines, triggers and events is exported and imported as it was, and belongs to the site', async () => {
  client('bob_shop', everything)
  const original = await dumped('bob_shop')
  assert.equal((await loadText(gzipSync(original), 'dump.sql.gz')) > 30, true)
  const linesOf = (dump: Buffer) =>
    dump
      .toString()
      .replaceAll(/DEFINER=(?:`\w+`@`[\w%]+`|"\w+"@"[\w%]+")/g, '')
      .split('\n')
  const [wanted, found] = [linesOf(original), linesOf(await dumped('ada_shop'))]
  assert.deepEqual(
    found.filter((line, at) => line !== wanted[at]),
    [],
  )
  const sums = async (database: string) =>
    client(database, 'checksum table every_type, child, parent, `odd ``name`').replaceAll(database, '')
  assert.equal(await sums('ada_shop'), await sums('bob_shop'))
  const definers = await ask(`select distinct definer from (
    select definer from information_schema.routines where routine_schema = 'ada_shop' union all
    select definer from information_schema.triggers where trigger_schema = 'ada_shop' union all
    select definer from information_schema.events where event_schema = 'ada_shop' union all
    select definer from information_schema.views where table_schema = 'ada_shop') as d`)
  assert.deepEqual(definers, [{ definer: 'ada_app@%' }])
  assert.deepEqual(await leftOvers(), [])
})

test('plain, gzip and zip are told apart by their content, and a mark of UTF-8 is taken away', async () => {
  const text = 'create table t (a int);\ninsert into t values (1);\n'
  const count = async () => (await ask('select count(*) as n from ada_shop.t'))[0]?.['n']
  asOwner(
    bench.alice,
    'sh',
    '-c',
    `printf '${text.replaceAll('\n', '\\n')}' > db/x.sql; cd db; 7zz a -tzip z.zip x.sql`,
  )
  for (const [name, content] of [
    ['plain.gz', Buffer.from(`\ufeff${text}`)],
    ['packed.sql', gzipSync(text)],
    ['zipped.sql', readFileSync(`${bench.alice.home}/db/z.zip`)],
  ] as const) {
    await ask('drop table if exists ada_shop.t')
    assert.equal(await loadText(content, name), 2, name)
    assert.equal(await count(), 1)
    assert.deepEqual(await leftOvers(), [])
  }
})

test('a failure names the statement, its line and how many ran', async () => {
  const text =
    'create table t (a int);\n\nSET GLOBAL max_connections = 10;\ninsert into t values\n(1);\ninsert into nothing values (2);\ninsert into t values (3);'
  await assert.rejects(
    loadText(text),
    is(
      ImportFailed,
      /^Statement 3, insert into nothing values \(2\); failed: ERROR 1146 .* line 6: .*; 2 statements before it ran$/s,
    ),
  )
  assert.deepEqual(await ask('select a from ada_shop.t'), [{ a: 1 }])
  assert.deepEqual(await leftOvers(), [])
})

test('a statement for another database ends the import before it; those before it ran', async () => {
  await assert.rejects(
    loadText('create table t (a int);\nUSE bob_shop;\ncreate table u (a int);'),
    is(StatementRefused, /^line 2: USE bob_shop: .*; 1 statement before it ran$/),
  )
  assert.deepEqual(
    await ask(
      "select table_name as n from information_schema.tables where table_schema in ('ada_shop', 'bob_shop')",
    ),
    [{ n: 't' }],
  )
})

test('an import reaches no other database, no account, no file and no program', async () => {
  client('bob_shop', 'create table secret (a int); insert into secret values (7);')
  client('adaxshop', 'create table secret (a int);')
  for (const text of [
    'create table t as select * from bob_shop.secret;',
    'create table t as select * from adaxshop.secret;', // as the pattern `ada_shop` would allow
    'create table t as select * from mysql.user;',
    '/*!50000 use*/ bob_shop;',
    'prepare s from "create table adaxshop.t (a int)"; execute s;',
    "create /* x */ definer=root@localhost procedure p() select 1; execute immediate 'create definer=root@localhost procedure q() select 1';",
    'create user eve@localhost; ',
    "grant all on *.* to ada_app@'%';",
    "load data infile '/etc/passwd' into table mysql.user;",
    "create table t (a text); load data local infile '/etc/passwd' into table t;",
    "select 1 into outfile '/tmp/hostreeve-import-out';",
    'select 1;\n\\! touch /tmp/hostreeve-import-ran\nselect 2;',
    'select 1;\nsystem touch /tmp/hostreeve-import-ran\n;',
    'select 1;\nsource /etc/passwd\n;',
    'set @@global.general_log_file = "/tmp/x"; set @a = @@global.hostname, @b = 1; kill 1;',
  ])
    await assert.rejects(loadText(text), Problem, text)
  assert.equal(existsSync('/tmp/hostreeve-import-ran') || existsSync('/tmp/hostreeve-import-out'), false)
  assert.deepEqual(
    await ask(
      "select routine_name from information_schema.routines where definer like 'root%' and routine_schema = 'ada_shop'",
    ),
    [],
  )
  assert.deepEqual(await leftOvers(), [])
})

test('what is not SQL is refused before a statement runs', async () => {
  const refused: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['<!doctype html><p>404', /HTML/],
    [Buffer.from('\ufeffselect 1;', 'utf16le'), /UTF-16/],
    [gzipSync('-- PostgreSQL database dump\n'), /PostgreSQL/],
    [gzipSync('SQLite format 3\0'), /SQLite/],
    ['just text', /begins with "just text"/],
    ['', /empty/],
    [gzipSync('select 1;').subarray(0, 12), /cannot be unpacked: .*unexpected end/],
  ]
  for (const [content, message] of refused)
    await assert.rejects(loadText(content), is(NotSql, message), String(content).slice(0, 20))
  assert.deepEqual(await leftOvers(), [])
})

test('a gzip that unpacks far beyond the size of a dump is refused', async () => {
  asOwner(
    bench.alice,
    'sh',
    '-c',
    "(echo 'select 1;'; head -c 300000000 /dev/zero | tr '\\0' ' ') | gzip -9 > db/bomb.gz",
  )
  await assert.rejects(load('bomb.gz'), is(NotSql, /unpacks to more than \d+ bytes/))
  assert.deepEqual(await leftOvers(), [])
})

test('a text that breaks off does not run the part of a statement that arrived', async () => {
  client('ada_shop', 'create table t (a int); insert into t values (1), (2);')
  const whole = gzipSync(
    `select 1;\ndelete from t where a = 1 or '${createHash('sha512').update('x').digest('hex').repeat(900)}' = a;`,
  )
  await assert.rejects(loadText(whole.subarray(0, whole.length - 9), 'cut.gz'), is(NotSql, /unexpected end/))
  assert.deepEqual(await ask('select count(*) as n from ada_shop.t'), [{ n: 2 }])
})

test('a cancelled import ends its client and its statement, and leaves no account', async () => {
  await put('slow.sql', 'create table t (a int);\nselect sleep(3000);')
  const stopping = new AbortController()
  const loading = load('slow.sql', { signal: stopping.signal })
  const isSleeping = async () =>
    (await ask("select id from information_schema.processlist where info like 'select sleep(3000)%'"))
      .length > 0
  await until(async () => ((await isSleeping()) ? true : undefined))
  const shown = programs().filter((argv) => /\bmariadb --defaults-file=/.test(argv))
  assert.ok(shown.length > 0)
  assert.deepEqual(
    shown.filter((argv) => /password/.test(argv)),
    [],
  )
  stopping.abort(new Error('cancelled'))
  await assert.rejects(loading, /cancelled/)
  assert.equal(await isSleeping(), false)
  assert.deepEqual(await leftOvers(), [])
})

test('accounts that a killed panel left are removed, but those of imports under way stay', async () => {
  await ask("create user 'hostreeve:gone'@localhost")
  await ask("create user 'hostreeve:busy'@localhost")
  await dropImportAccounts({ ...on, active: new Set(['busy']) })
  assert.deepEqual(await leftOvers(), [{ User: 'hostreeve:busy' }])
  await dropImportAccounts(on)
  assert.deepEqual(await leftOvers(), [])
})

test('a dump that fails or is cancelled fails with the message, and its program ends', async () => {
  await assert.rejects(dumped('absent'), /Unknown database 'absent'/)
  client(
    'ada_shop',
    'create table t (a longtext); insert into t select repeat(rand(), 100000) from mysql.help_topic limit 300;',
  )
  const stopping = new AbortController()
  const dump = dumpDatabase({ run, socketPath }, 'ada_shop', {
    signal: stopping.signal,
    onProgress: () => stopping.abort(new Error('cancelled')),
  })
  await assert.rejects(buffer(dump), /cancelled/)
  await until(() => (programs().some((argv) => argv.startsWith('mariadb-dump ')) ? undefined : true))
})

/** The programs that work with this server. */
const programs = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((argv) => argv.includes(`--socket=${socketPath}`))
