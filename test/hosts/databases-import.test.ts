import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const everything = join(checkout, 'src/tools/mariadb/import/testing/everything.sql')

describe('exports and imports of databases', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  const ids = new Map<string, number>()
  before(async () => {
    host = await bootHost('dbimport', { image: 'mariadb' })
    await put('/etc/mysql/mariadb.conf.d/99-log.cnf', '[mysqld]\nlog_bin = bin\n')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    await host.must(['systemctl', 'restart', 'mariadb'])
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    for (const owner of [ada, bob]) {
      const draft = { domain: `${owner.username}.test`, type: 'static' }
      const { id } = await owner.signedIn.must('POST', '/api/websites', draft)
      for (const name of ['shop', 'copy']) await create(owner, id, name)
    }
    for (const name of ['ada', 'bob'])
      await host.must(['runuser', '-u', name, '--', 'mkdir', `/home/${name}/db`])
    await load('ada_shop', await readFile(everything, 'utf8'))
    await load('bob_shop', 'create table secret (a int); insert into secret values (7);')
  })
  after(() => host?.remove())

  const put = (path: string, content: string) => writeFile(join(host.rootPath, path), content)
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const load = (database: string, input: string) =>
    host.must(['mariadb', '--default-character-set=utf8mb4', database], { input })
  async function create(owner: Owner, site: number, name: string): Promise<void> {
    const body = { name, username: `${name}er`, password: `the password of ${name}` }
    const { id, name: full } = await owner.signedIn.must('POST', `/api/websites/${site}/databases`, body)
    ids.set(full, id)
  }
  const stream = async (owner: Owner, database: string, verb: string, body: object) => {
    const { bytes, status } = await owner.signedIn.ask(
      'POST',
      `/api/databases/${ids.get(database)}/${verb}`,
      body,
    )
    assert.equal(status, 200, bytes.toString())
    const events = [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line))
    return events.at(-1)
  }
  /** Imports a text as ada; returns the last event. */
  async function imported(text: string, more: object = {}): Promise<any> {
    await put('/home/ada/db/text.sql', text)
    return stream(ada, 'ada_copy', 'import', { file: '/home/ada/db/text.sql', ...more })
  }
  const accounts = () => query("select count(*) from mysql.user where User like 'hostreeve%'")
  const lastImport = () => admin.latestJob('databases.import')
  const lastEntry = async (action: string) => {
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    return items.find((item: { readonly action: string }) => item.action === action)
  }
  const isSleeping = async () =>
    (await query("select id from information_schema.processlist where info like 'select sleep(99999)%'")) !==
    ''

  it('carry a database with every type, views, triggers, routines, events and foreign keys over unchanged', async () => {
    const done = await stream(ada, 'ada_shop', 'export', {})
    assert.equal(done.type, 'done', done.message)
    const { bytes } = await ada.signedIn.ask('GET', done.download_url)
    assert.match(gunzipSync(bytes).toString('latin1'), /trigger first_of_two/i)
    const end = await stream(ada, 'ada_copy', 'import', { file: done.file_path })
    assert.deepEqual(end, { type: 'done', message: 'Import successful' })
    const sums = async (database: string) => {
      const tables =
        await query(`select group_concat(concat('${database}.\`', replace(table_name, '\`', '\`\`'), '\`') order by table_name)
        from information_schema.tables where table_schema = '${database}' and table_type = 'BASE TABLE'`)
      return (await query(`checksum table ${tables}`)).replaceAll(`${database}.`, '')
    }
    assert.equal(await sums('ada_copy'), await sums('ada_shop'))
    assert.equal((await sums('ada_copy')).split('\n').length, 6)
    assert.equal(
      await query(`select distinct definer from information_schema.routines where routine_schema = 'ada_copy' union
        select definer from information_schema.triggers where trigger_schema = 'ada_copy' union
        select definer from information_schema.events where event_schema = 'ada_copy' union
        select definer from information_schema.views where table_schema = 'ada_copy'`),
      'ada_copyer@localhost',
    )
    const used = [
      'mariadb',
      '--user=ada_copyer',
      '-Ne',
      'call fill(2, @n); select @n, twice(4); select count(*) from joined',
      'ada_copy',
    ] as const
    const { stdout, stderr } = await host.exec(used, { env: { MYSQL_PWD: 'the password of copy' } })
    assert.equal(stdout, '2\t8\n2\n', stderr)
    assert.equal(await accounts(), '0')
  })

  it('do not lead from one owner to another, nor to the host', async () => {
    for (const text of [
      'create table stolen as select * from bob_shop.secret;',
      'use bob_shop;\ndrop table secret;',
      'drop database bob_shop;',
      'grant all on *.* to ada_copyer@localhost;',
      "load data local infile '/etc/shadow' into table stolen;",
      "load data infile '/etc/passwd' into table stolen;",
      'select 1;\n\\! touch /tmp/was-here\n;',
    ]) {
      const failed = await imported(text)
      assert.equal(failed.type, 'error', `${text}: ${failed.message}`)
    }
    assert.equal(await query('select a from bob_shop.secret'), '7')
    assert.notEqual((await host.exec(['ls', '/tmp/was-here'])).code, 0)
    for (const [method, verb, body] of [
      ['POST', 'export', {}],
      ['POST', 'import', { file: '/home/bob/db/x.sql' }],
      ['GET', 'download?file=/home/ada/db/text.sql', undefined],
    ] as const)
      assert.equal(
        (await bob.signedIn.ask(method, `/api/databases/${ids.get('ada_shop')}/${verb}`, body)).status,
        404,
      )
  })

  it('show no password in the list of processes, and end on a cancel', async () => {
    const importing = imported('select sleep(99999);')
    await poll('the statement', 60_000, async () => ((await isSleeping()) ? true : undefined))
    const { stdout } = await host.must(['ps', '-eo', 'user,args'])
    const clients = stdout.split('\n').filter((line) => /\bmariadb --/.test(line))
    assert.ok(
      clients.some((line) => line.startsWith('ada ')),
      stdout,
    )
    assert.doesNotMatch(clients.join('\n'), /password|MYSQL_PWD/)
    await ada.signedIn.must('POST', `/api/jobs/${(await lastImport()).id}/cancel`)
    assert.match((await importing).message, /^Cancelled: /)
    assert.deepEqual([await isSleeping(), await accounts()], [false, '0'])
  })

  /** Kills the panel while it imports a text that sleeps at its end, and waits for the end of the job. */
  async function killedImport(text: string, more: object): Promise<void> {
    const importing = imported(`${text}\nselect sleep(99999);`, more).catch(() => undefined) // the connection breaks
    await poll('the statement', 60_000, async () => ((await isSleeping()) ? true : undefined))
    await panel.kill9()
    await importing
    await panel.start()
    await poll('the job to end', 60_000, async () =>
      ['queued', 'running'].includes((await lastImport()).state) ? undefined : true,
    )
    assert.deepEqual([await isSleeping(), await accounts()], [false, '0'])
  }

  it('say that a part of an import may have run when the panel is killed', async () => {
    await killedImport('create table half (a int);', {})
    const { status, message } = await lastEntry('databases_import_database')
    assert.deepEqual([status, /it may stand in part/.test(message)], ['failed', true], message)
    assert.equal((await lastImport()).state, 'failed')
    assert.equal(await query("select count(*) from information_schema.tables where table_name = 'half'"), '1')
  })

  it('restore the database from its safety dump when the panel is killed', async () => {
    const tables = async () => query('show tables from ada_copy')
    await load(
      'ada_copy',
      'create or replace table kept (a int); create or replace view seen as select a from kept;',
    )
    const former = await tables()
    await killedImport('drop table kept; drop view seen; create table other (a int);', {
      safety_dump: true,
    })
    const { status, message } = await lastEntry('databases_import_database')
    assert.equal(status, 'restored', message)
    assert.equal(await tables(), former)
  })

  it('leave no file of an export when the panel is killed', async () => {
    const files = async () => (await host.must(['ls', '-A', '/home/ada/db'])).stdout
    const former = await files()
    const locking = host.exec(['mariadb', '-e', 'lock tables ada_shop.parent write; select sleep(99999)'])
    await poll('the lock', 60_000, async () => ((await isSleeping()) ? true : undefined))
    const exporting = stream(ada, 'ada_shop', 'export', {}).catch(() => undefined)
    await poll('the dump', 60_000, async () =>
      /^mariadb-dump /m.test((await host.must(['ps', '-eo', 'args'])).stdout) ? true : undefined,
    )
    await panel.kill9()
    await exporting
    await query(
      "select id into @id from information_schema.processlist where info like 'select sleep(99999)%'; kill @id",
    )
    await locking
    await panel.start()
    await poll('the job to end', 60_000, async () =>
      ['queued', 'running'].includes((await admin.latestJob('databases.export')).state) ? undefined : true,
    )
    assert.equal((await lastEntry('databases_export_database')).status, 'restored')
    await poll('the temporary file to be gone', 60_000, async () =>
      (await files()) === former ? true : undefined,
    )
  })
})
