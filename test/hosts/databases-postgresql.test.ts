import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

describe('databases of websites on PostgreSQL', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  const ids = new Map<string, number>()
  const sites = new Map<string, number>()
  before(async () => {
    host = await bootHost('dbpostgres', { image: 'postgresql' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    const { job_id } = await admin.must('POST', '/api/programs/postgresql/install')
    const events = await admin.followJob(job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-5)))
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    for (const owner of [ada, bob]) {
      const draft = { domain: `${owner.username}.test`, type: 'static' }
      const { id } = await owner.signedIn.must('POST', '/api/websites', draft)
      sites.set(owner.username, id)
      for (const name of ['shop', 'copy']) await create(owner, name)
    }
    await query('bob_shop', 'create table secret (a int); insert into secret values (7)')
  })
  after(() => host?.remove())

  /** As the superuser of the server, by a client of its own. */
  const query = async (database: string, text: string) =>
    (
      await host.must(
        ['runuser', '-u', 'postgres', '--', 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', database],
        { input: text },
      )
    ).stdout.trim()
  const as = (user: string, password: string, database: string, text: string) =>
    host.exec(
      ['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-U', user, '-c', text, database],
      { env: { PGPASSWORD: password } },
    )
  async function create(owner: Owner, name: string): Promise<void> {
    const body = { engine: 'postgresql', name, username: `${name}er`, password: `the password of ${name}` }
    const site = sites.get(owner.username)
    const { id, name: full } = await owner.signedIn.must('POST', `/api/websites/${site}/databases`, body)
    ids.set(full, id)
  }
  const stream = async (owner: Owner, database: string, verb: string, body: object) => {
    const { bytes, status } = await owner.signedIn.ask(
      'POST',
      `/api/databases/sqlalt/${ids.get(database)}/${verb}`,
      body,
    )
    assert.equal(status, 200, bytes.toString())
    return [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line)).at(-1)
  }
  async function imported(text: string): Promise<any> {
    await writeFile(join(host.rootPath, 'home/ada/given.sql'), text)
    return stream(ada, 'ada_copy', 'import', { file: '/home/ada/given.sql' })
  }

  it('are created, used, exported and imported as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/website-databases.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide.split('## 5. PostgreSQL')[1] ?? ''))
    assert.match(output, /"name":"ada_maps","available":true/)
    assert.match(output, /"engine":"postgresql","name":"ada_maps".*"state":"present"/)
    assert.match(output, /imported \n-+\n +2\n/)
    assert.equal(await query('postgres', `select rolname from pg_roles where rolname = 'ada_reader'`), '')
    assert.equal(
      await query('ada_maps', "select tableowner from pg_tables where tablename = 'places'"),
      'ada_maps:owner',
    )
  })

  it('carry tables, views, types, functions and sequences over unchanged', async () => {
    const made = await as(
      'ada_shoper',
      'the password of shop',
      'ada_shop',
      `
      create type mood as enum ('sad', 'it''s; fine');
      create table things (id serial primary key, note text, raw bytea, feeling mood, at timestamptz default now());
      insert into things (note, raw, feeling) select E'a\\tb\\n\\\\.\\n' || n, decode(md5(n::text), 'hex'), 'sad' from generate_series(1, 20000) n;
      create function twice(n int) returns int language sql begin atomic select case when n > 0 then n * 2 end; end;
      create view seen as select id, twice(id) from things; create index on things (note)`,
    )
    assert.equal(made.code, 0, made.stderr)
    const done = await stream(ada, 'ada_shop', 'export', {})
    assert.equal(done.type, 'done', done.message)
    const { bytes } = await ada.signedIn.ask(
      'GET',
      done.download_url.replace('/databases/', '/databases/sqlalt/'),
    )
    assert.match(gunzipSync(bytes).toString('latin1'), /CREATE TYPE public.mood/)
    assert.deepEqual(await stream(ada, 'ada_copy', 'import', { file: done.file_path }), {
      type: 'done',
      message: 'Import successful',
    })
    const sums = `select md5(string_agg(t::text, ',' order by id)) from things t;
      select md5(string_agg(s::text, ',' order by id)) from seen s; select last_value from things_id_seq`
    assert.equal(await query('ada_copy', sums), await query('ada_shop', sums))
    const used = await as(
      'ada_copyer',
      'the password of copy',
      'ada_copy',
      'insert into things (note) values (1); select twice(21)',
    )
    assert.equal(used.stdout, '42\n', used.stderr)
  })

  it('do not lead from one owner to another, nor to the host', async () => {
    const outside = async () => [
      await query('bob_shop', 'select a from secret; select count(*) from pg_class'),
      await query(
        'postgres',
        'select rolname, rolsuper, rolpassword from pg_authid order by 1; select datname, datacl, datdba from pg_database order by 1',
      ),
      await query('template1', 'select count(*) from pg_class'),
      (await host.exec(['ls', '/tmp/was-here'])).code,
    ]
    const before = await outside()
    for (const text of [
      '\\! touch /tmp/was-here\n',
      'select 1 \\g |touch /tmp/was-here\n',
      "copy (select 1) to program 'touch /tmp/was-here';",
      "copy (select 1) to '/tmp/was-here';",
      "create table stolen (a text); copy stolen from '/etc/passwd';",
      '\\connect bob_shop\ndrop table secret;',
      'drop database bob_shop;',
      'create role evil superuser;',
      'do $$ begin commit; end $$; create extension plpython3u;',
      "alter role bob_shoper password 'stolen';",
      "create extension dblink; select dblink_exec('dbname=bob_shop', 'drop table secret');",
    ])
      assert.equal((await imported(text)).type, 'error', text)
    assert.deepEqual(await outside(), before)
    for (const database of ['bob_shop', 'postgres', 'template1'])
      assert.notEqual(
        (await as('ada_shoper', 'the password of shop', database, 'select 1')).code,
        0,
        database,
      )
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['POST', '/users', { username: 'x', password: 'x' }],
      ['POST', '/users/ada_shoper/reset-password', undefined],
      ['DELETE', '/users/ada_shoper', undefined],
      ['POST', '/export', {}],
      ['POST', '/import', { file: '/home/bob/x.sql' }],
      ['GET', '/download?file=/home/ada/db/x', undefined],
    ] as const)
      assert.equal(
        (await bob.signedIn.ask(method, `/api/databases/sqlalt/${ids.get('ada_shop')}${path}`, body)).status,
        404,
        path,
      )
  })

  it('leave nothing of an import whose panel is killed, and no role of it', async () => {
    await writeFile(
      join(host.rootPath, 'home/ada/slow.sql'),
      'create table half (a int);\nselect pg_sleep(99999);\n',
    )
    let programs = ''
    await killWhile(
      panel,
      () =>
        ada.signedIn.ask('POST', `/api/databases/sqlalt/${ids.get('ada_copy')}/import`, {
          file: '/home/ada/slow.sql',
        }),
      async () => {
        const sleeping = await query(
          'postgres',
          "select pid from pg_stat_activity where query like 'select pg_sleep(99999)%'",
        )
        if (sleeping === '') return false
        programs = (await host.must(['ps', '-eo', 'args'])).stdout // the client runs as long as its statement
        return true
      },
    )
    assert.match(programs, /psql .*service=hostreeve/)
    assert.doesNotMatch(programs, /SCRAM|PGPASSWORD|password=/)
    await poll('the job to end', 60_000, async () => {
      const { state } = await admin.latestJob('databases.import')
      return ['queued', 'running'].includes(state) ? undefined : true
    })
    assert.equal(await query('ada_copy', "select tablename from pg_tables where tablename = 'half'"), '')
    await poll('the role to go', 60_000, async () =>
      (await query('postgres', "select rolname from pg_roles where rolname like '%:client'")) === ''
        ? true
        : undefined,
    )
  })

  it('are deleted with their users, and report a server that is stopped', async () => {
    await host.must(['systemctl', 'stop', 'postgresql@15-main'])
    const down = await ada.signedIn.ask('DELETE', `/api/databases/sqlalt/${ids.get('ada_copy')}`)
    assert.deepEqual([down.status, down.error?.code ?? down.code], [500, 'delete_failed'])
    await host.must(['systemctl', 'start', 'postgresql@15-main'])
    await ada.signedIn.must('DELETE', `/api/databases/sqlalt/${ids.get('ada_copy')}`)
    assert.equal(
      await query(
        'postgres',
        "select datname from pg_database where datname = 'ada_copy' union select rolname from pg_roles where rolname like 'ada\\_copy%'",
      ),
      '',
    )
  })
})
