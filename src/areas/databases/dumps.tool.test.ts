import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { sql } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { asOwner, skip } from '../../host/owner/testing/homes.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { standInBucket } from '../../tools/s3/testing/server.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'

const uids = { ada: 61_031, bob: 61_032 }

describe('dumps of databases', { skip }, () => {
  let server: ScratchMariadb
  let panel: TestPanel
  let folder: string
  let people: Readonly<Record<'ada' | 'bob', Person>>
  let id: number
  let bobId: number
  let web: Server
  const installed = new Map<string, string>()

  before(async () => {
    server = await startMariadb({ hasBinaryLog: true })
    folder = mkdtempSync('/tmp/hostreeve-dumps-')
    chmodSync(folder, 0o755)
    for (const [name, uid] of Object.entries(uids)) {
      mkdirSync(`${folder}/${name}`)
      chownSync(`${folder}/${name}`, uid, uid)
    }
    panel = await openTestPanel({
      accounts: new Map(
        Object.entries(uids).map(([name, uid]) => [name, { uid, home: `${folder}/${name}` }]),
      ),
      scripts: [scriptPackages(installed)],
      hasNginx: true,
      programs: ['mariadb', 'mariadb-dump'],
      addresses: { allow: ['127.0.0.0/8'] },
      mariadb: {
        connection: connect.sql(server.target),
        socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
      },
    })
    mkdirSync(`${panel.root}/root`)
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    const person = (username: string) => panel.person({ username, permissions: ['websites_management'] })
    people = { ada: await person('ada'), bob: await person('bob') }
    await panel.start()
    id = await createFor('ada', 'shop')
    bobId = await createFor('bob', 'shop')
    web = createServer((_request, response) => response.end(gzipSync('create table fetched (a int);')))
    await once(web.listen(0, '127.0.0.1'), 'listening')
  })
  after(async () => {
    web.close()
    await panel.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    await root(sql`create or replace database ada_shop`)
    await root(sql`create table ada_shop.orders (id int primary key, text varchar(50))`)
    await root(sql`insert into ada_shop.orders values (1, ${"it's; one"}), (2, 'two')`)
    await root(sql`create definer = root@localhost view ada_shop.seen as select id from ada_shop.orders`)
    asOwner(ada(), 'sh', '-c', 'rm -rf ./* ./.h*')
  })

  const root = (statement: ReturnType<typeof sql>) => connect.sql(server.target).run(statement)
  const ada = () => ({ name: 'ada', uid: uids.ada, gid: uids.ada, home: `${folder}/ada` })
  const home = (...parts: string[]) => [folder, 'ada', ...parts].join('/')
  const sh = (script: string) => asOwner(ada(), 'sh', '-c', script)
  async function createFor(username: 'ada' | 'bob', name: string): Promise<number> {
    const as = people[username]
    const site = await addWebsite(panel, { domain: `${username}.test`, userId: as.id, username })
    const body = { name, username: 'app', password: 'a password' }
    const { status, data, text } = await panel.request('POST', `/api/websites/${site}/databases`, {
      as,
      body,
    })
    assert.equal(status, 201, text)
    return data.id
  }
  const ask = (method: string, path: string, body?: unknown, as = people.ada) =>
    panel.request(method, `/api/databases/${path}`, { as, ...(body !== undefined && { body }) })
  const streamed = async (path: string, body?: unknown) => {
    const { status, text } = await ask('POST', path, body)
    assert.equal(status, 200, text)
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line))
  }
  const last = async (path: string, body?: unknown) => (await streamed(path, body)).at(-1)
  const put = (name: string, text: string) => sh(`mkdir -p db; cat > db/${name} <<'END'\n${text}\nEND`)
  const tables = async () =>
    (
      await root(
        sql`select table_name as name from information_schema.tables where table_schema = 'ada_shop' order by 1`,
      )
    ).map(({ name }) => name)

  test('an export is a file of the owner, which can be downloaded and imported again', async () => {
    const done = await last(`${id}/export`, { save_to_server: true })
    assert.match(done.file_path, /\/db\/ada_shop-\d{8}-\d{6}\.sql\.gz$/)
    assert.deepEqual(done, {
      type: 'done',
      download_url: `/api/databases/${id}/download?file=${encodeURIComponent(done.file_path)}`,
      file_path: done.file_path,
      cloud_url: null,
    })
    const { uid, mode, size } = statSync(done.file_path)
    assert.deepEqual([uid, mode & 0o777], [uids.ada, 0o600])
    const { status, headers } = await panel.request('GET', done.download_url, { as: people.ada })
    assert.deepEqual(
      [status, headers['content-type'], String(headers['content-disposition']).startsWith('attachment')],
      [200, 'application/gzip', true],
    )
    assert.equal(Number(headers['content-length']), size)
    assert.match(gunzipSync(readFileSync(done.file_path)).toString(), /INSERT INTO `orders` VALUES/)
    await root(sql`create or replace database ada_shop`)
    assert.deepEqual(await last(`${id}/import`, { file: done.file_path }), {
      type: 'done',
      message: 'Import successful',
    })
    assert.deepEqual(await tables(), ['orders', 'seen'])
    assert.deepEqual(
      await root(sql`select definer from information_schema.views where table_name = 'seen'`),
      [{ definer: 'ada_app@localhost' }],
    )
  })

  test('an export without a body works, and one for the cloud ends in an error, as no storage is configured', async () => {
    assert.equal((await last(`${id}/export`)).type, 'done')
    const failed = await last(`${id}/export`, { upload_to_cloud: true })
    assert.deepEqual([failed.type, /no storage is configured/.test(failed.message)], ['error', true])
    assert.equal(readdirSync(home('db')).length, 1)
  })

  test('an export is uploaded to the S3 server of the backups; the dump stays if that fails', async () => {
    const bucket = await standInBucket()
    const configure = async (body: object) => {
      const { status, text } = await panel.request('POST', '/api/settings/backup', { as: panel.admin, body })
      assert.equal(status, 200, text)
    }
    try {
      const s3 = {
        s3_endpoint: bucket.endpoint,
        s3_bucket: 'backups',
        s3_access_key: 'a',
        s3_secret_key: 'b',
      }
      await configure({ ...s3, s3_prefix: '/dumps of web1/' })
      const done = await last(`${id}/export`, { upload_to_cloud: true })
      assert.equal(done.type, 'done', done.message)
      const name = done.file_path.split('/').at(-1)
      const key = `dumps of web1/databases/ada/${name}`
      assert.equal(done.cloud_url, `${bucket.endpoint}/backups/${key.replaceAll(' ', '%20')}`)
      assert.deepEqual(bucket.objects.get(key)?.bytes, readFileSync(done.file_path))
      bucket.status = 403
      const failed = await last(`${id}/export`, { upload_to_cloud: true })
      assert.deepEqual([failed.type, /answered 403/.test(failed.message)], ['error', true], failed.message)
      assert.equal(readdirSync(home('db')).length, 2)
      assert.deepEqual([...bucket.objects.keys()], [key])
      assert.deepEqual(readdirSync(`${panel.root}/var/lib/hostreeve/backups/uploads`), [])
    } finally {
      await configure({ s3_endpoint: '', s3_secret_key: '' })
      await bucket.close()
    }
  })

  test('a dump is fetched from an address, unpacked and imported', async () => {
    const address = web.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const done = await last(`${id}/import`, { url: `http://127.0.0.1:${port}/dump.sql.gz` })
    assert.equal(done.type, 'done', done.message)
    assert.deepEqual(await tables(), ['fetched', 'orders', 'seen'])
  })

  test('an import that fails ends in an error that names the statement, and is undone with a safety dump', async () => {
    put('bad.sql', 'drop view seen; drop table orders;\nbad;')
    const request = { file: home('db', 'bad.sql') }
    const safe = await last(`${id}/import`, { ...request, safety_dump: true })
    assert.match(safe.message, /Statement 3, bad; failed: ERROR 1064.*2 statements before it ran/)
    assert.deepEqual(await tables(), ['orders', 'seen'])
    assert.equal(readdirSync(home('db')).filter((name) => name.includes('before-import')).length, 1)
    const events = await streamed(`${id}/import`, request)
    assert.match(events.at(-1).message, /Statement 3, bad; failed: .*2 statements before it ran/)
    assert.deepEqual(await tables(), [])
    const [entry] = (await panel.request('GET', '/api/activity', { as: panel.admin })).data.items
    assert.equal(entry.status, 'failed', entry.message)
  })

  test('an import of what is not SQL, or is for another database, is an error', async () => {
    put('page.sql', '<!doctype html>')
    put('other.sql', 'use bob_shop; drop table orders;')
    for (const [name, message] of [
      ['page.sql', /HTML/],
      ['other.sql', /line 1: USE bob_shop/],
    ] as const) {
      const failed = await last(`${id}/import`, { file: home('db', name) })
      assert.deepEqual([failed.type, message.test(failed.message)], ['error', true], failed.message)
    }
  })

  test('an import names a file of the home, or an address', async () => {
    sh(
      'mkdir db; ln -s /etc/passwd db/link; mkdir real; echo "select 1;" > real/x.sql; ln -s ../real db/folder',
    )
    for (const body of [
      {},
      { file: '', url: '' },
      { url: 'file:///etc/passwd' },
      { url: 'not a url' },
      { file: '/etc/passwd' },
      { file: 'db/x.sql' },
      { file: home('db/../../bob/x') },
      { file: `${folder}/bob/db/x.sql` },
      { file: home('db', 'link') },
      { file: home('db', 'folder', 'x.sql') },
      { file: home('db') },
      { file: 7 },
      { file: `${home('db')}/${'x'.repeat(5000)}` },
    ]) {
      const { status, error } = await ask('POST', `${id}/import`, body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body).slice(0, 100))
    }
    const { status, error } = await ask('POST', `${id}/import`, { file: home('db', 'absent.sql') })
    assert.deepEqual([status, error.code], [404, 'not_found'])
  })

  test('a download stays in the folder for dumps', async () => {
    sh(
      'mkdir db other; echo x > secret; ln -s ../secret db/link; ln -s ../other db/folder; echo x > other/y; echo z > db/plain.sql',
    )
    const get = (file: string) => ask('GET', `${id}/download?${new URLSearchParams({ file })}`)
    assert.deepEqual([(await get(home('db', 'plain.sql'))).text], ['z\n'])
    for (const file of [
      '/etc/passwd',
      home('secret'),
      home('db/../secret'),
      `${folder}/bob/db/x`,
      home('db'),
      'db/x',
    ])
      assert.deepEqual([(await get(file)).status, (await get(file)).error.code], [403, 'forbidden'], file)
    for (const file of [home('db', 'link'), home('db', 'folder', 'y')])
      assert.deepEqual([(await get(file)).status, (await get(file)).error.code], [400, 'bad_request'], file)
    assert.equal((await get(home('db', 'absent.sql.gz'))).error.code, 'not_found')
    assert.equal((await ask('GET', `${id}/download`)).error.code, 'bad_request')
  })

  test('another owner and an unknown database are not found, and a person without the permission is refused', async () => {
    put('x.sql', 'select 1;')
    const stranger = await panel.person({})
    for (const [method, verb, body] of [
      ['POST', 'export', {}],
      ['POST', 'import', { file: home('db', 'x.sql') }],
      ['GET', `download?file=${home('db', 'x.sql')}`, undefined],
    ] as const) {
      for (const wrong of [bobId, 987_654]) {
        const { status, error } = await ask(method, `${wrong}/${verb}`, body)
        assert.deepEqual([status, error.code], [404, 'not_found'], verb)
      }
      assert.equal((await ask(method, `x/${verb}`, body)).error.code, 'bad_request')
      assert.equal((await ask(method, `${id}/${verb}`, body, stranger)).error.code, 'forbidden')
    }
  })

  test('without the server nothing is exported; without a user nothing is imported', async () => {
    put('x.sql', 'select 1;')
    installed.clear()
    assert.equal((await ask('POST', `${id}/export`)).error.code, 'unavailable')
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    await ask('DELETE', `${bobId}/users/bob_app`, undefined, people.bob)
    asOwner(
      { ...ada(), name: 'bob', uid: uids.bob, gid: uids.bob, home: `${folder}/bob` },
      'sh',
      '-c',
      'echo "select 1;" > x.sql',
    )
    const { status, error } = await ask(
      'POST',
      `${bobId}/import`,
      { file: `${folder}/bob/x.sql` },
      people.bob,
    )
    assert.deepEqual([status, error.code], [409, 'conflict'])
  })

  test('a plan shows the command and what cannot be undone, and changes nothing', async () => {
    put('x.sql', 'select 1;')
    const exported = await ask('POST', `${id}/export?plan=1`)
    assert.match(JSON.stringify(exported.data), /mariadb-dump.*--single-transaction/)
    const planOf = async (safety_dump: boolean) =>
      JSON.stringify(
        (await ask('POST', `${id}/import?plan=1`, { file: home('db', 'x.sql'), safety_dump })).data,
      )
    assert.match(await planOf(false), /statements that ran stay/)
    assert.doesNotMatch(await planOf(true), /statements that ran stay/)
    assert.deepEqual(readdirSync(home('db')), ['x.sql'])
  })
})
