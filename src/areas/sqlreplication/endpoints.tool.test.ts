import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../test/support/free-ports.ts'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import type { SqlStatement } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptMariadbd } from '../../tools/mariadb/testing/scripted-mariadbd.ts'
import { standInServer } from '../../tools/mariadb/testing/stand-in.ts'

const base = '/api/sqldb/replication'
const typed = (text: string): SqlStatement => ({ parts: [text], values: [] })
const peerPaths = [
  'accept',
  'databases',
  'db-sizes',
  'dump',
  'dump-db',
  'dump-users',
  'position',
  'setup-master',
  'start-slave',
]

/** A panel over a server that has its options already. */
async function openPanelOn(
  server: ScratchMariadb,
  options: Readonly<Record<string, string>>,
): Promise<TestPanel> {
  const script = standInServer()
  for (const [name, value] of Object.entries(options)) script.overrides.set(name, value)
  const panel: TestPanel = await openTestPanel({
    programs: ['mariadb', 'mariadb-dump'],
    scripts: [
      scriptMariadbd(script, () => panel.root),
      scriptPackages(new Map([['mariadb-server', '1:10.11.14-0+deb12u2']])),
      scriptSystemd(new Map([['mariadb', { isActive: true, isEnabled: true }]])),
    ],
    mariadb: { connection: connect.sql(server.target), socketPath: server.socketPath },
    accounts: new Map([['mysql', { uid: process.getuid?.() ?? 0 }]]),
  })
  mkdirSync(`${panel.root}/etc/mysql/mariadb.conf.d`, { recursive: true })
  for (const folder of ['', '/etc', '/etc/mysql']) chmodSync(`${panel.root}${folder}`, 0o755)
  await panel.start()
  return panel
}

describe('replication between two panels', () => {
  let folder: string
  let primary: ScratchMariadb
  let replica: ScratchMariadb
  let first: TestPanel
  let second: TestPanel
  let listener: Server
  let url: string
  let key: string
  const panelKey = async () =>
    createSelfSigned('db1.example', [{ type: 'dns', value: 'db1.example' }], new Date())
  before(async () => {
    folder = mkdtempSync('/tmp/hostreeve-two-panels-')
    chmodSync(folder, 0o755)
    const { cert, key: serverKey } = await panelKey()
    writeFileSync(`${folder}/server.crt`, cert)
    writeFileSync(`${folder}/server.key`, serverKey, { mode: 0o644 })
    const port = await freePort()
    const shared = ['--gtid-strict-mode=1', '--log-slave-updates']
    const tls = [`--ssl-cert=${folder}/server.crt`, `--ssl-key=${folder}/server.key`]
    primary = await startMariadb({ hasBinaryLog: true, port, args: [...shared, ...tls, '--server-id=21'] })
    replica = await startMariadb({ hasBinaryLog: true, args: [...shared, '--server-id=22', '--read-only=1'] })
    const options = { 'log-bin': 'bin', 'gtid-strict-mode': 'TRUE', 'log-slave-updates': 'TRUE' }
    first = await openPanelOn(primary, {
      ...options,
      ...{ 'server-id': '21', 'bind-address': '*', port: String(port), 'ssl-cert': '/etc/mysql/server.crt' },
    })
    writeFileSync(`${first.root}/etc/mysql/server.crt`, cert)
    second = await openPanelOn(replica, { ...options, 'server-id': '22', 'read-only': 'TRUE' })
    await first.app.ready()
    listener = createServer(await panelKey(), (request, reply) => first.app.routing(request, reply))
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    assert.ok(typeof address === 'object' && address !== null)
    url = `https://127.0.0.1:${address.port}`
    await on(
      primary,
      'create database shop',
      'create table shop.items (id int primary key, name text)',
      "insert into shop.items values (1, 'one')",
      "create user 'app'@'%' identified by 'the password'",
    )
  })
  after(async () => {
    listener?.closeAllConnections()
    listener?.close()
    await first?.close()
    await second?.close()
    await replica?.stop()
    await primary?.stop()
    rmSync(folder, { recursive: true })
  })

  const on = async (server: ScratchMariadb, ...texts: readonly string[]) => {
    for (const text of texts) await connect.sql(server.target).run(typed(text))
  }
  const valueOf = async (server: ScratchMariadb, text: string) =>
    Object.values((await connect.sql(server.target).run(typed(text)))[0] ?? {}).at(-1)
  const ask = (panel: TestPanel, method: string, path: string, body?: unknown) =>
    panel.request(method, path, { as: panel.admin, ...(body !== undefined && { body }) })
  const must = async (panel: TestPanel, method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(panel, method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return data
  }
  const failure = async (panel: TestPanel, method: string, path: string, body?: unknown) => {
    const { status, error } = await ask(panel, method, path, body)
    return [status, error?.code]
  }
  const withKey = (path: string, body: unknown = {}, sent = key) =>
    first.request('POST', `${base}/${path}`, { body, headers: { 'x-panel-sync-key': sent } })
  const state = () => must(second, 'GET', base)
  const caughtUp = () =>
    until(
      async () =>
        (await valueOf(primary, 'select @@gtid_current_pos')) ===
        (await valueOf(replica, 'select @@gtid_current_pos')),
    )
  const synchronise = async (body: object) => {
    const { job_id } = await must(second, 'POST', `${base}/sync`, body)
    return until(async () => {
      const job = await must(second, 'GET', `/api/jobs/${job_id}`)
      return !['queued', 'running'].includes(job.state) && job
    })
  }

  test('a server without a role has none, and does nothing of a replica', async () => {
    const { role, replica: none, server_id, is_logging } = await state()
    assert.deepEqual([role, none, server_id, is_logging], ['none', null, 22, true])
    for (const [method, path, body] of [
      ['POST', `${base}/start`],
      ['POST', `${base}/stop`],
      ['POST', `${base}/sync`],
      ['POST', `${base}/slaves`, { name: 'too early' }],
      ['POST', '/api/sqldb/sync-users-ha'],
      ['POST', '/api/settings/sqldb/replication/restart'],
      ['POST', '/api/settings/sqldb/replication/skip-error'],
    ] as const)
      assert.deepEqual(await failure(second, method, path, body), [409, 'conflict'], path)
    assert.deepEqual(await failure(second, 'GET', `${base}/sync-stream`), [404, 'not_found'])
    const removed = await ask(second, 'DELETE', base)
    assert.deepEqual([removed.status, removed.json.success], [200, true])
  })

  test('a primary has a key, which it shows once', async () => {
    const made = await must(first, 'POST', `${base}/init`)
    assert.deepEqual([made.server_id, /^hrs_[0-9a-f]{64}$/.test(made.sync_key)], [21, true])
    assert.equal((await must(first, 'POST', `${base}/init`)).sync_key, null)
    key = (await must(first, 'POST', `${base}/init`, { new_key: true })).sync_key
    assert.equal((await withKey('databases', {}, made.sync_key)).status, 401)
    const shown = await must(first, 'GET', base)
    assert.deepEqual([shown.role, shown.sync_key.key_prefix], ['primary', key.slice(0, 12)])
  })

  test('every endpoint for other panels refuses a wrong key, and one who is no superuser', async () => {
    const other = await first.person({ permissions: ['administrative_operations'] })
    for (const [at, path] of peerPaths.entries()) {
      for (const sent of ['', `${key.slice(0, -1)}x`, 'hrs_'])
        assert.equal(
          (
            await first.request('POST', `${base}/${path}`, {
              body: {},
              ip: `10.98.1.${at}`,
              headers: { 'x-panel-sync-key': sent },
            })
          ).status,
          401,
          `${path} with ${sent}`,
        )
      assert.equal(
        (await first.request('POST', `${base}/${path}`, { as: other, body: {} })).status,
        403,
        path,
      )
    }
  })

  test('other panels read databases, sizes, accounts, dumps and the position', async () => {
    assert.deepEqual((await withKey('databases')).data, { databases: ['shop'] })
    const sizes = (await withKey('db-sizes')).data
    assert.deepEqual([sizes.databases[0].name, sizes.total_bytes > 0], ['shop', true])
    const { accounts } = (await withKey('dump-users')).data
    assert.deepEqual(
      accounts.map(({ username }: { username: string }) => username),
      ['app'],
    )
    assert.match(accounts[0].authentication[0].secret, /^\*[0-9A-F]{40}$/)
    assert.match((await withKey('position')).data.gtid, /^0-21-\d+$/)
    const dump = await withKey('dump-db', { database: 'shop' })
    assert.deepEqual([dump.status, dump.headers['content-type']], [200, 'application/gzip'])
    assert.equal((await withKey('dump')).status, 200)
    assert.equal((await withKey('dump-db', { database: 'nothing' })).error.code, 'bad_request')
    for (const databases of [['shop', 'nothing'], 'shop', [''], ['x'.repeat(65)]])
      assert.equal((await withKey('dump', { databases })).error.code, 'bad_request', String(databases))
    const accepted = { name: 'twin', server_id: 21, password: 'x'.repeat(40) }
    assert.equal((await withKey('accept', accepted)).error.code, 'bad_request')
    assert.equal((await withKey('start-slave')).error.code, 'conflict')
    assert.match((await withKey('setup-master')).data.certificate, /BEGIN CERTIFICATE/)
  })

  test('a replica connects with the right key, and pins the panel', async () => {
    const draft = { url, sync_key: key, name: 'db2' }
    for (const wrong of [
      { ...draft, url: url.replace('https://127.0.0.1', 'http://192.0.2.1') },
      { ...draft, url: `${url}/api` },
      { ...draft, url: 'db1' },
      { ...draft, sync_key: 'hrs_wrong' },
      { ...draft, sync_key: '' },
    ])
      assert.deepEqual(await failure(second, 'POST', `${base}/connect`, wrong), [400, 'bad_request'])
    const nobody = { ...draft, url: `https://127.0.0.1:${await freePort()}` }
    assert.deepEqual(await failure(second, 'POST', `${base}/connect`, nobody), [502, 'peer_failed'])
    assert.deepEqual(await must(second, 'POST', `${base}/connect`, draft), { success: true, pinned: true })
    assert.deepEqual(await failure(second, 'POST', `${base}/connect`, draft), [409, 'conflict'])
    assert.deepEqual(await failure(second, 'POST', `${base}/init`), [409, 'conflict'])
    const chained = await ask(second, 'POST', `${base}/slaves`, { name: 'chained' })
    assert.deepEqual([chained.status, chained.error.code], [409, 'conflict'])
    assert.match(chained.error.message, /follows 127\.0\.0\.1: add replicas to that one/)
    const { role, replica: now } = await state()
    assert.deepEqual([role, now.state, now.host], ['replica', 'unsynchronised', '127.0.0.1'])
    assert.deepEqual(await failure(second, 'POST', `${base}/start`), [409, 'conflict'])
  })

  test('is synchronised, but replaces databases only if it may', async () => {
    await on(replica, 'create database shop')
    const refused = await ask(second, 'POST', `${base}/sync`)
    assert.deepEqual([refused.status, refused.error['databases']], [409, ['shop']])
    await on(
      primary,
      'create view shop.broken as select id from shop.items',
      'rename table shop.items to shop.other',
    )
    const failed = await synchronise({ overwrite: true })
    assert.deepEqual([failed.state, (await state()).replica.state], ['failed', 'unsynchronised'])
    const broken = await ask(second, 'GET', `${base}/sync-stream`)
    assert.match(broken.text, /"type":"error"/)
    await on(primary, 'rename table shop.other to shop.items', 'drop view shop.broken')
    const job = await synchronise({ overwrite: true })
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
    assert.deepEqual(job.result, { databases: 1, accounts: 1 })
    await on(primary, "insert into shop.items values (2, 'two')")
    await caughtUp()
    assert.equal(
      await valueOf(replica, 'checksum table shop.items'),
      await valueOf(primary, 'checksum table shop.items'),
    )
    await until(async () => {
      const { replica: now, gtid } = await state()
      return now.state === 'running' && now.error === null && now.received_gtid === gtid // the heartbeat changes it
    })
    const stream = await ask(second, 'GET', `${base}/sync-stream`)
    assert.match(stream.text, /"type":"done"/)
    const [slave] = await must(first, 'GET', `${base}/slaves`)
    assert.deepEqual([slave.name, slave.server_id, slave.connected], ['db2', 22, true])
    await until(async () => (await must(first, 'GET', `${base}/slaves`))[0].up_to_date === true)
  })

  test('knows how far it is behind by the heartbeat of the primary, and since when', async () => {
    const lag = async () => {
      const { lag_seconds, lag_source } = (await state()).replica
      return [lag_seconds, lag_source]
    }
    await until(async () => String(await lag()) === '0,heartbeat')
    const beat = 'select at_ms from `hostreeve:replication`.heartbeat where server_id = 21'
    const former = Number(await valueOf(replica, beat))
    await until(async () => Number(await valueOf(replica, beat)) > former)
    await on(replica, 'stop slave sql_thread')
    const kept = await valueOf(replica, beat)
    await until(async () => {
      const { state: now, lag_seconds, lag_source } = (await state()).replica
      return now === 'stopped' && lag_seconds >= 2 && lag_source === 'heartbeat'
    })
    assert.equal(await valueOf(replica, beat), kept, 'nothing is written on a replica')
    await on(replica, 'start slave sql_thread')
    await until(async () => String(await lag()) === '0,heartbeat')
    await until(async () => (await state()).replica.lag_history.length > 0)
    const [sample] = (await state()).replica.lag_history
    assert.ok(Math.abs(Date.now() - Date.parse(sample.at)) < 3_600_000 && sample.seconds >= 0)
    for (const [panel, server] of [
      [first, primary],
      [second, replica],
    ] as const) {
      const names = (await must(panel, 'GET', '/api/sqldb/monitor-stats')).databases.map(
        ({ name }: { readonly name: string }) => name,
      )
      assert.deepEqual(names, ['shop'], 'the table is not shown among the databases')
      assert.equal(Number(await valueOf(server, 'select count(*) from `hostreeve:replication`.heartbeat')), 1)
    }
    assert.deepEqual((await withKey('databases')).data, { databases: ['shop'] })
  })

  test('stops, starts, tries again and copies accounts', async () => {
    await must(second, 'POST', `${base}/stop`)
    assert.equal((await state()).replica.state, 'stopped')
    await on(primary, "insert into shop.items values (3, 'three')")
    await must(second, 'POST', `${base}/start-slave`)
    await caughtUp()
    await must(second, 'POST', '/api/settings/sqldb/replication/restart')
    await until(async () => (await state()).replica.state === 'running')
    await connect.session(replica.target)('utf8mb4', [
      typed('set sql_log_bin = 0'),
      typed("drop user 'app'@'%'"),
    ])
    assert.deepEqual(await must(second, 'POST', '/api/sqldb/sync-users-ha'), { accounts: 1 })
    assert.equal(Number(await valueOf(replica, "select count(*) from mysql.user where User = 'app'")), 1)
  })

  test('says what it stopped at, and leaves that change out', async () => {
    const byHand = [typed('set sql_log_bin = 0'), typed("insert into shop.items values (4, 'by hand')")]
    await connect.session(replica.target)('utf8mb4', byHand)
    await on(
      primary,
      "insert into shop.items values (4, 'lost')",
      "insert into shop.items values (5, 'kept')",
    )
    const { error } = await until(async () => {
      const { replica: now } = await state()
      return now.state === 'broken' && now
    })
    assert.deepEqual([error.number, error.fix], [1062, 'skip'])
    assert.match(error.message, /Duplicate entry/)
    assert.match(error.statements.join(), /lost/)
    const skipped = await must(second, 'POST', '/api/settings/sqldb/replication/skip-error')
    assert.deepEqual([skipped.gtid, skipped.is_stopped_again], [error.gtid, false])
    await until(async () => Number(await valueOf(replica, 'select count(*) from shop.items')) === 5)
    assert.deepEqual(await failure(second, 'POST', '/api/settings/sqldb/replication/skip-error'), [
      409,
      'conflict',
    ])
    for (const slave_skip_errors of [[0], ['1062'], 'all', [70_000]])
      assert.deepEqual(
        await failure(second, 'POST', '/api/settings/sqldb/slave-skip-errors', { slave_skip_errors }),
        [400, 'bad_request'],
      )
  })

  test('sends nothing to a panel with another key', async () => {
    listener.setSecureContext(await panelKey())
    const { status, error } = await ask(second, 'POST', '/api/sqldb/sync-users-ha')
    assert.deepEqual([status, error.code], [502, 'peer_failed'])
    assert.match(error.message, /another key than before/)
  })

  test('a replica by hand has an account of its own, until it is removed', async () => {
    const added = await must(first, 'POST', `${base}/slaves`, { name: 'by hand' })
    assert.match(added.password, /^[\w-]{43}$/)
    assert.deepEqual(await failure(first, 'POST', `${base}/slaves`, { name: 'by hand' }), [409, 'conflict'])
    assert.deepEqual(await failure(first, 'POST', `${base}/slaves`, { name: ' ' }), [400, 'bad_request'])
    await must(first, 'DELETE', `${base}/slaves/${added.id}`)
    assert.deepEqual(await failure(first, 'DELETE', `${base}/slaves/${added.id}`), [404, 'not_found'])
    const count = `select count(*) from mysql.user where User = '${added.username}'`
    assert.equal(Number(await valueOf(primary, count)), 0)
  })

  test('the role ends on both sides, and the data stay', async () => {
    const { status, json } = await ask(second, 'DELETE', base)
    assert.deepEqual([status, json.success], [200, true])
    assert.deepEqual([(await state()).role, (await state()).read_only], ['none', false])
    assert.equal(Number(await valueOf(replica, 'select count(*) from shop.items')), 5)
    assert.equal((await ask(first, 'DELETE', base)).status, 200)
    assert.equal((await withKey('databases')).status, 401)
    assert.deepEqual(await must(first, 'GET', `${base}/slaves`), [])
  })

  test('no log and no activity contains a key', async () => {
    for (const panel of [first, second]) {
      const { text } = await ask(panel, 'GET', '/api/activity?per_page=100')
      assert.doesNotMatch(JSON.stringify(panel.log) + text, new RegExp(key.slice(12)))
    }
  })

  test('a server that does not answer is told as that', async () => {
    await primary.stop()
    assert.deepEqual(await failure(first, 'GET', base), [500, 'sql_error'])
  })
})
