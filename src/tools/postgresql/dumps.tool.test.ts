import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'

import { openFiles } from '../../host/files.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { run } from '../../host/run.ts'
import { prepareServer } from './access.ts'
import { adoptDatabase } from './adopt.ts'
import { createDatabase } from './databases.ts'
import { exportDatabase } from './dump.ts'
import { dropClient, dropClients, openClient } from './import/clients.ts'
import { importDatabase, type ImportingHomes } from './import/step.ts'
import { verifierOf } from './password-hash.ts'
import { setAccount } from './roles.ts'
import { openServer } from './server.ts'
import { type ScratchPostgresql, startPostgresql } from './testing/scratch-postgresql.ts'

let scratch: ScratchPostgresql
let bench: Bench
before(async () => {
  scratch = await startPostgresql()
  bench = makeBench()
})
after(async () => {
  await bench.remove()
  await scratch.stop()
})

const unchanged: Stoppable['door'] = (thing) => thing
const root = () => openServer(scratch.place)
const prepare = () => prepareServer({ server: root(), files: openFiles('/') })
const homes = (door: Stoppable['door'] = unchanged): ImportingHomes => ({
  server: door(root()),
  prepare: door(prepare),
  programs: scratch.place.programs,
  socketFolder: scratch.place.socketFolder,
  port: scratch.place.port,
  active: new Set(),
  alone: new KeyedMutex(),
  ownerOf: door(async () => bench.owners.of(bench.alice)),
})
/** As the superuser of the server, by a client of its own. */
const psql = async (database: string, text: string) => {
  const { code, stdout, stderr } = await run(
    [
      '/usr/lib/postgresql/15/bin/psql',
      '-XAtq',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      scratch.place.socketFolder,
      database,
    ],
    { as: await scratch.place.account(), input: text, maxBytes: 64 * 1024 * 1024 } as object,
  )
  assert.equal(code, 0, stderr)
  return stdout.trim()
}
const file = (name: string, text: string) => {
  writeFileSync(`${bench.alice.home}/${name}`, text)
  return name
}
const verifier = verifierOf('secret')

async function makeDatabase(name: string, username: string): Promise<void> {
  await psql('postgres', `drop database if exists ${name} with (force)`)
  for (const role of [username, `${name}:client`, `${name}:owner`])
    await psql('postgres', `drop role if exists "${role}"`)
  const create = createDatabase({ server: root(), prepare })
  const args = { name, charset: 'UTF8', collation: 'C.utf8' }
  await create.act(args, stepRun(await create.observe(args)))
  const kind = setAccount(root())
  const account = { username, database: name, verifier }
  await kind.act(account, stepRun(await kind.observe(account)))
}

/** A database with a table, and a home with a dump. */
async function machine(): Promise<object> {
  asOwner(bench.alice, 'sh', '-c', `rm -rf '${bench.alice.home}'/* '${bench.alice.home}'/.[!.]*`)
  file('dump.sql', 'create table new (a int);\ninsert into new values (2);\n')
  await makeDatabase('ada_shop', 'ada_app')
  await psql('ada_shop', 'set role "ada_shop:owner"; create table old (a int); insert into old values (1)')
  return {}
}

/** As a panel finds it that was started since. */
async function look() {
  await dropClients(homes())
  const tables = await psql(
    'ada_shop',
    `select tablename, tableowner from pg_tables where schemaname = 'public' order by 1`,
  )
  const roles = await psql('postgres', `select rolname from pg_roles where rolname like '%:client'`)
  const db = `${bench.alice.home}/db`
  return { tables, roles, files: existsSync(db) ? readdirSync(db).sort() : [] }
}
const old = 'old|ada_shop:owner'
const both = 'new|ada_shop:owner\nold|ada_shop:owner'

proveStep<object>('postgresql.export', {
  skip,
  machine,
  open: (_machine, door) => exportDatabase(homes(door)),
  look,
  cases: {
    'a database with a table': {
      args: { username: 'alice', database: 'ada_shop', name: 'ada_shop-1' },
      wanted: { tables: old, roles: '', files: ['ada_shop-1.sql.gz'] },
      returns: { file: 'db/ada_shop-1.sql.gz' },
      handEdit: () =>
        asOwner(
          bench.alice,
          'sh',
          '-c',
          `mkdir -p '${bench.alice.home}/db'; echo mine > '${bench.alice.home}/db/ada_shop-1.sql.gz'`,
        ),
    },
  },
})

const order = { username: 'alice', database: 'ada_shop', file: 'dump.sql', label: 'job 1' }
proveStep<object>('postgresql.import', {
  skip,
  machine,
  open: (_machine, door) => importDatabase(homes(door)),
  look,
  cases: {
    'a dump': {
      args: order,
      wanted: { tables: both, roles: '', files: [] },
      repeats: 'the tables exist',
      returns: { statements: 2 },
    },
  },
  withoutHandEdit: 'each import adds to what is there',
})

describe('imports', { skip }, () => {
  beforeEach(machine)
  const importing = async (text: string, more: object = {}) => {
    const kind = importDatabase(homes())
    const args = { ...order, file: file('given.sql', text), ...more }
    return kind.act(args, stepRun(await kind.observe(args)))
  }

  test('bring back what an export has, with equal checksums, on another database', async () => {
    const text = `create schema "Odd ""name";
      create type mood as enum ('sad', 'it''s; fine');
      create table "Odd ""name".things (id serial primary key, note text, raw bytea, feeling mood, at timestamptz default now());
      insert into "Odd ""name".things (note, raw, feeling) select E'line\\n\\\\.\\n;' || n, decode(md5(n::text), 'hex'), 'it''s; fine' from generate_series(1, 2000) n;
      create function twice(n int) returns int language sql begin atomic select case when n > 0 then n * 2 else 0 end; end;
      create function loud(t text) returns text language plpgsql as $body$ begin return upper(t) || ';$$'; end; $body$;
      create view "Odd ""name".seen as select id, loud(note) from "Odd ""name".things;
      create extension if not exists pg_trgm;`
    await psql('ada_shop', `set role "ada_shop:owner"; ${text}`)
    const dump = exportDatabase(homes())
    const asked = { username: 'alice', database: 'ada_shop', name: 'whole' }
    const made = await dump.act(asked, stepRun(await dump.observe(asked)))
    assert.equal(made.file, 'db/whole.sql.gz')
    const facts = statSync(`${bench.alice.home}/db/whole.sql.gz`)
    assert.deepEqual([facts.uid, facts.mode & 0o777, facts.size], [bench.alice.uid, 0o600, made.size_bytes])
    await makeDatabase('ada_copy', 'ada_copier')
    const kind = importDatabase(homes())
    const args = { ...order, database: 'ada_copy', file: made.file }
    const { statements } = await kind.act(args, stepRun(await kind.observe(args)))
    assert.ok(statements > 10)
    const sums = `select md5(string_agg(t::text, ',' order by id)) from "Odd ""name".things t;
      select twice(21), (select md5(string_agg(s::text, ',' order by id)) from "Odd ""name".seen s);
      select nextval('"Odd ""name".things_id_seq');
      select string_agg(distinct tableowner, ',') filter (where schemaname = 'Odd "name') from pg_tables`
    const [one, other] = [await psql('ada_shop', sums), await psql('ada_copy', sums)]
    assert.equal(other.replace('ada_copy:owner', 'ada_shop:owner'), one)
    assert.match(other, /ada_copy:owner$/)
  })

  test('take a dump of another server with its owners, rights, transactions and settings', async () => {
    await importing(
      `\\restrict abcDEF\n-- PostgreSQL database dump\nSET transaction_timeout = 0;\nSET default_tablespace = '';\n` +
        `CREATE DATABASE other WITH TEMPLATE = template0;\nALTER DATABASE other OWNER TO someone;\n` +
        `BEGIN;\nCREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog;\nCOMMENT ON EXTENSION plpgsql IS 'x';\n` +
        `CREATE TABLE public.kept (a text);\nALTER TABLE public.kept OWNER TO someone;\n` +
        `COPY public.kept (a) FROM stdin;\nALTER TABLE public.kept OWNER TO someone;\n\\\\. \n\\.\n\n` +
        `GRANT ALL ON TABLE public.kept TO someone;\nCOMMIT;\nSET SESSION AUTHORIZATION someone;\n\\unrestrict abcDEF\n`,
    )
    assert.equal(
      await psql('ada_shop', 'select a from kept order by a'),
      'ALTER TABLE public.kept OWNER TO someone;\n\\.',
    )
  })

  test('leave nothing if a line fails, or if the text breaks off', async () => {
    const before = await look()
    await assert.rejects(
      importing('create table a (b int);\n\ninsert into a values (1);\ninsert into missing values (1);\n'),
      /^Problem: Line 4: ERROR: {2}relation "missing" does not exist.*nothing was imported/s,
    )
    for (const text of [
      'create table a (b int);\ncopy a from stdin;\n1\n2\n',
      "create table a (b int);\ninsert into a values ('1",
      'create table a (b int);\n/* never closed',
      'create table a (b int);\ndo $x$ begin',
    ])
      await assert.rejects(importing(text), /breaks off within a statement; nothing was imported/, text)
    assert.deepEqual(await look(), before)
  })

  test('refuse what is not SQL of this server', async () => {
    for (const [text, message] of [
      ['', /it is empty/],
      ['-- MariaDB dump 10.19\n', /a dump of MariaDB/],
      ['PGDMP\u0001', /archive of pg_dump/],
      ['-- PostgreSQL database cluster dump\n', /pg_dumpall/],
      ['<!doctype html>', /HTML/],
      ['hello world;', /it begins with "hello world/],
      ['-- nothing\n', /no statement/],
    ] as const)
      await assert.rejects(importing(text), message, text)
  })

  test('have no effect outside of the database, whatever the dump tries', async () => {
    await makeDatabase('bob_shop', 'bob_app')
    await psql('bob_shop', 'create table secret (a int); insert into secret values (1)')
    const witness = `/tmp/hostreeve-pg-witness-${process.pid}`
    const outside = async () => ({
      bob: await psql(
        'bob_shop',
        `select a from secret; select count(*) from pg_class; select proname from pg_proc where proname = 'evil'`,
      ),
      roles: await psql(
        'postgres',
        'select rolname, rolsuper, rolcreaterole, rolcreatedb, rolconnlimit from pg_roles order by 1',
      ),
      databases: await psql('postgres', 'select datname, datacl from pg_database order by 1'),
      members: await psql(
        'postgres',
        'select r.rolname, m.rolname from pg_auth_members a join pg_roles r on r.oid = roleid join pg_roles m on m.oid = member order by 1, 2',
      ),
      template: await psql(
        'template1',
        `select count(*) from pg_class; select proname from pg_proc where proname = 'evil'`,
      ),
      home: readdirSync(bench.bob.home),
      witness: existsSync(witness),
    })
    const before = await outside()
    const attacks = [
      `select 1;\n\\! touch ${witness}\n`,
      `select 1 \\! touch ${witness}\n`,
      `select 1 \\g |touch ${witness}\n`,
      `\\copy (select 1) to program 'touch ${witness}'\n`,
      `copy (select 1) to program 'touch ${witness}';`,
      `copy (select 1) to '${witness}';`,
      `create table f (a text); copy f from '/etc/passwd';`,
      `copy f from program 'id';`,
      `select pg_read_file('/etc/passwd');`,
      `select lo_export(lo_from_bytea(0, 'x'), '${witness}');`,
      `\\connect bob_shop\ncreate table evil (a int);`,
      `\\connect postgres postgres\ncreate role evil superuser;`,
      `create extension plpython3u;`,
      `create extension dblink; select dblink_exec('dbname=bob_shop', 'create table evil (a int)');`,
      `create extension adminpack;`,
      `create role evil superuser login;`,
      `alter role "ada_shop:client" superuser;`,
      `alter role bob_app password 'stolen';`,
      `grant postgres to "ada_shop:client";`,
      `do $$ begin execute 'grant pg_execute_server_program to "ada_shop:client"'; end $$;`,
      `do $$ begin execute 'grant "ada_shop:client" to bob_app'; end $$; select 1/0;`,
      `set session authorization postgres; select 1; do $$ begin perform set_config('role', 'postgres', false); end $$;`,
      `do $$ begin execute 'set role postgres'; execute 'create role evil'; end $$;`,
      `do $$ begin execute 'create database evil'; end $$;`,
      `do $$ begin execute 'alter system set archive_command = ''touch ${witness}'''; end $$;`,
      `do $$ begin commit; end $$; drop database bob_shop;`,
      `create function evil() returns int language c as '/tmp/x.so', 'x';`,
      `create event trigger evil on ddl_command_start execute function f();`,
      `create server s foreign data wrapper postgres_fdw;`,
      `create subscription evil connection 'dbname=bob_shop' publication p;`,
      `alter database template1 set search_path = x;select 1/0;`,
      `create tablespace evil location '/tmp';`,
      `load '/tmp/evil.so';`,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'; select 1/0;`,
    ]
    for (const attack of attacks) {
      await importing(attack).then(
        () => {},
        () => {},
      )
      assert.deepEqual(await outside(), before, attack)
    }
    // the client itself, without the rules for the text: the confinement and the rights are what holds
    for (const raw of [
      `\\! touch ${witness}; ls ${bench.bob.home} >seen; cat /etc/shadow >>seen\n`,
      `\\connect bob_shop\ncreate table evil (a int);\n`,
      `\\connect postgres\ncreate table evil (a int);\n`,
      `\\connect - postgres\ncreate role evil;\n`,
      `\\connect - bob_app\ncreate table evil (a int);\n`,
    ])
      await (
        await openClient(homes(), { owner: bench.owners.of(bench.alice), database: 'ada_shop' })
      )(['psql', '-X', '-f-'], { input: raw })
    await dropClient(homes(), 'ada_shop')
    assert.deepEqual(await outside(), before)
    assert.equal(statSync(`${bench.alice.home}/seen`).size, 0)
  })

  test('are taken back from a safety dump', async () => {
    const dump = exportDatabase(homes())
    const asked = { username: 'alice', database: 'ada_shop', name: 'safe' }
    const { file: safety } = await dump.act(asked, stepRun(await dump.observe(asked)))
    const kind = importDatabase(homes())
    const args = { ...order, safety }
    const observed = await kind.observe(args)
    await kind.act(args, stepRun(observed))
    await kind.undo(args, observed)
    assert.equal((await look()).tables, old)
    assert.equal(await psql('ada_shop', 'select a from old'), '1')
  })

  test('a database that somebody made on the server is given to a role of its own, with what is in it', async () => {
    await psql('postgres', 'drop database if exists ada_legacy')
    await psql('postgres', 'drop role if exists "ada_legacy:owner"')
    await psql('postgres', 'create database ada_legacy template template0')
    await psql(
      'ada_legacy',
      `create schema s; create table s.t (id serial primary key); insert into s.t values (default);
      create view v as select * from s.t; create type e as enum ('a'); create function f() returns int language sql as 'select 1';
      create procedure p() language sql as ''; create extension pg_trgm`,
    )
    const kind = adoptDatabase({ server: root(), prepare })
    const args = { name: 'ada_legacy' }
    const observed = await kind.observe(args)
    await kind.act(args, stepRun(observed))
    assert.equal(await kind.check(args, observed), 'wanted')
    const owners = `select distinct pg_get_userbyid(o) from (select relowner o from pg_class where relname in ('t', 'v', 't_id_seq')
      union all select proowner from pg_proc where proname in ('f', 'p') union all select typowner from pg_type where typname = 'e'
      union all select nspowner from pg_namespace where nspname = 's' union all select datdba from pg_database where datname = 'ada_legacy') x`
    assert.equal(await psql('ada_legacy', owners), 'ada_legacy:owner')
    await assert.rejects(kind.observe({ name: 'ada_none' }), /no database ada_none/)
    await kind.undo(args, observed)
    assert.equal(await psql('ada_legacy', owners), 'postgres')
    await psql('postgres', 'drop database ada_legacy')
  })
})
