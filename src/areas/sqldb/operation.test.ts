import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freePort } from '../../../test/support/free-ports.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptMariadbd } from '../../tools/mariadb/testing/scripted-mariadbd.ts'
import { type StandInProcess, standInServer } from '../../tools/mariadb/testing/stand-in.ts'

const version = '1:10.11.14-0+deb12u2'
const dropIn = '/etc/mysql/mariadb.conf.d/99-hostreeve.cnf'
const slowLog = `# User@Host: shop[shop] @ localhost []
# Thread_id: 31  Schema: shop  QC_hit: No
# Query_time: 2.000000  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 1000
SET timestamp=1795822801;
select * from items where secret = 'hunter2';
`
const processes: readonly StandInProcess[] = [
  { id: 1, user: 'system user', command: 'Slave_SQL', time: 900 },
  { id: 4, user: 'shop', command: 'Sleep', time: 30 },
  { id: 5, user: 'shop', command: 'Query', time: 20, info: 'update items\nset n = 1', waitsFor: 4 },
  { id: 6, user: 'root', command: 'Query', time: 1 },
]

describe('the running SQL server', () => {
  const server = standInServer()
  const service = { isActive: true, isEnabled: true }
  const installed = new Map<string, string>()
  let report = '-------- Recommendations ------------\nGeneral recommendations:\n    Restrict host\n'
  let panel: TestPanel
  let keeper: Person
  const scriptPrograms: Script = (argv) => {
    if (argv[0] === 'tail' && argv.at(-1)?.endsWith('/web1-slow.log')) return { stdout: slowLog }
    return argv[0] === 'mysqltuner' ? { stdout: report } : undefined
  }
  before(async () => {
    const scripts = [
      scriptPrograms,
      scriptMariadbd(server, () => panel.root),
      scriptPackages(installed, { 'mariadb-server': version, mysqltuner: '1.9.9-1' }),
      scriptSystemd(
        new Map([
          ['mariadb', service],
          ['nginx', { isActive: true, isEnabled: true }],
        ]),
      ),
    ]
    panel = await openTestPanel({
      scripts,
      mariadb: { connection: server.connection },
      accounts: new Map([['mysql', { uid: 110 }]]),
    })
    for (const folder of ['/etc/mysql/mariadb.conf.d', '/var/lib/mysql'])
      mkdirSync(`${panel.root}${folder}`, { recursive: true })
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    await panel.start()
  })
  after(() => panel.close())
  beforeEach(async () => {
    Object.assign(service, { isActive: true, isEnabled: true })
    rmSync(`${panel.root}${dropIn}`, { force: true })
    rmSync(`${panel.root}/var/lib/mysql/web1-slow.log`, { force: true })
    installed.set('mariadb-server', version)
    installed.delete('mysqltuner')
    server.overrides.clear()
    server.processes = [...processes]
    server.counters = [{ at: 100, uptime: 50, slow_queries: 3 }]
    server.databases = []
    await panel.host.services.act('mariadb', 'restart')
    server.restarts = 0
  })

  const ask = (method: string, path: string, asked: object = {}) =>
    panel.request(method, `/api/sqldb${path}`, { as: keeper, ...asked })
  const set = (name: string, body?: unknown, asked: object = {}) =>
    panel.request('POST', `/api/settings/sqldb/${name}`, { as: panel.admin, body, ...asked })
  const settings = async () => (await panel.request('GET', '/api/settings/sqldb', { as: panel.admin })).data
  const file = async () => (await panel.host.files.read(dropIn)) ?? null
  const ids = () => server.processes.map(({ id }) => id)

  test('lists connections with what they wait for', async () => {
    const { status, data } = await ask('GET', '/processes')
    assert.equal(status, 200)
    assert.deepEqual(
      data.processes.map(({ id }: { id: number }) => id),
      [1, 4, 5, 6],
    )
    assert.deepEqual(data.processes[2], {
      id: 5,
      user: 'shop',
      host: 'localhost',
      db: null,
      command: 'Query',
      time: 20,
      state: '',
      info: 'update items set n = 1',
      blocked_by: [4],
    })
  })

  test('ends one connection, and refuses what is no client: kill_failed', async () => {
    assert.deepEqual((await ask('POST', '/processes/5/kill')).data, { killed: true })
    assert.deepEqual(ids(), [1, 4, 6])
    for (const [id, reason] of [
      ['1', /thread of the server or of replication/],
      ['99', /no connection has the id 99/],
      ['1%3B%20DROP', /must be the number of a connection/],
      ['-1', /must be the number/],
      ['1e3', /must be the number/],
      ['99999999999999999999', /must be the number/],
    ] as const) {
      const { status, error } = await ask('POST', `/processes/${id}/kill`)
      assert.deepEqual([status, error.code], [500, 'kill_failed'], id)
      assert.match(error.message, reason)
    }
    assert.deepEqual(ids(), [1, 4, 6])
  })

  test('ends all that runs, without threads of the server and what sleeps', async () => {
    const { data: plan } = await ask('POST', '/processes/kill-all?plan=1')
    assert.deepEqual(
      plan.steps[0].objects.map(({ name }: { name: string }) => name),
      ['5', '6'],
    )
    assert.deepEqual((await ask('POST', '/processes/kill-all')).data, { killed: 2 })
    assert.deepEqual(ids(), [1, 4])
    assert.deepEqual((await ask('POST', '/processes/kill-all')).data, { killed: 0 })
  })

  test('says that the server does not answer: sql_error', async () => {
    server.isDown = true
    for (const [method, path] of [
      ['GET', '/processes'],
      ['POST', '/processes/kill-all'],
      ['GET', '/tuner'],
      ['GET', '/slow-log'],
    ] as const) {
      const { status, error } = await ask(method, path)
      assert.deepEqual([status, error.code], [500, 'sql_error'], path)
    }
    assert.equal((await ask('POST', '/processes/5/kill')).error.code, 'kill_failed')
  })

  test('shows statistics with rates, which are zero while the server does not run', async () => {
    server.counters = [
      { at: 100, uptime: 50, questions: 10 },
      { at: 102, uptime: 52, questions: 30, threads_connected: 4 },
    ]
    server.databases = [{ name: 'shop', size: 2048 }]
    const { data } = await ask('GET', '/monitor-stats')
    assert.deepEqual([data.stats.queries_per_sec, data.stats.connections], [10, 4])
    assert.deepEqual(data.databases, [{ name: 'shop', size: '2 KiB', size_bytes: 2048 }])
    server.counters = [{ at: 112, uptime: 62, questions: 80 }]
    assert.equal((await ask('GET', '/monitor-stats')).data.stats.queries_per_sec, 5, 'since the last call')
    server.isDown = true
    const { status, data: down } = await ask('GET', '/monitor-stats')
    assert.deepEqual([status, down.databases, down.engine.buffer_pool_size], [200, [], '0 B'])
    for (const value of Object.values({ ...down.stats, ...down.locks })) assert.equal(value, 0)
  })

  test('reads settings as the server takes them, and what the running one does not have', async () => {
    assert.deepEqual(await settings(), {
      path: dropIn,
      max_connections: 151,
      port: 3306,
      read_only: false,
      remote: false,
      bind_address: '127.0.0.1',
      running: true,
      not_in_effect: [],
    })
    server.variables.set('max_connections', '500')
    assert.deepEqual((await settings()).not_in_effect, ['max_connections'])
  })

  test('sets a limit without a restart, and a port with one', async () => {
    const plan = await set('max-connections?plan=1', { max_connections: 300 })
    assert.match(plan.data.steps[0].files[0].diff, /\+max_connections = 300/)
    assert.deepEqual([await file(), (await settings()).max_connections], [null, 151])
    assert.equal((await set('max-connections', { max_connections: 300 })).status, 200)
    assert.deepEqual([server.restarts, server.variables.get('max_connections')], [0, '300'])
    assert.equal((await set('port', { port: 33_999 })).status, 200)
    assert.equal(await file(), '[mysqld]\nport = 33999\nmax_connections = 300\n')
    assert.deepEqual([server.restarts, server.variables.get('port')], [1, '33999'])
    assert.equal((await set('port', { port: 33_999 })).status, 200)
    assert.equal(server.restarts, 1, 'nothing to do')
  })

  test('listens for other hosts or not, and refuses changes of data or not', async () => {
    server.overrides.set('skip-networking', 'TRUE')
    assert.equal((await set('remote', { remote: true })).status, 200)
    assert.equal(await file(), '[mysqld]\nskip_networking = OFF\nbind_address = *\n')
    assert.deepEqual([(await settings()).remote, (await settings()).bind_address], [true, '*'])
    assert.equal((await set('remote', { remote: false })).status, 200)
    assert.equal((await settings()).remote, false)
    assert.equal((await set('read-only', { read_only: true })).status, 200)
    assert.deepEqual([(await settings()).read_only, server.variables.get('read_only')], [true, 'ON'])
  })

  for (const [name, body, message] of [
    ['max-connections', { max_connections: 0 }, /max_connections: must be a whole number from 10/],
    ['max-connections', { max_connections: 10_000_000 }, /max_connections: must be a whole number from 10/],
    ['max-connections', {}, /max_connections/],
    ['max-connections', { max_connections: '1; DROP' }, /max_connections/],
    ['port', { port: 0 }, /port: must be a port from 1024/],
    ['port', { port: 80 }, /port: must be a port from 1024/],
    ['port', { port: 70_000 }, /port: must be a port from 1024/],
    ['read-only', { read_only: 'perhaps' }, /read_only/],
    ['remote', {}, /remote/],
  ] as const)
    test(`refuses ${name} ${JSON.stringify(body)}`, async () => {
      const { status, error } = await set(name, body)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, message)
      assert.equal(await file(), null)
    })

  test('refuses a port on which another program listens, and names it: conflict', async () => {
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')
    const { status, error } = await set('port', { port })
    holder.close()
    assert.deepEqual([status, error.code, error.port, error.pid], [409, 'conflict', port, process.pid])
    assert.match(error.message, /^port: \d+ is used by \S+ \(process \d+\)/)
    assert.equal(server.restarts, 0)
  })

  test('restores what was there where the server refuses the file or does not start: config_failed', async () => {
    writeFileSync(`${panel.root}${dropIn}`, '[mysqld]\nforbidden = 1\n')
    const refused = await set('max-connections', { max_connections: 300 })
    assert.deepEqual([refused.status, refused.error.code], [500, 'config_failed'])
    assert.match(refused.error.message, /unknown variable 'forbidden=1'/)
    writeFileSync(`${panel.root}${dropIn}`, '[mysqld]\nbind-address = mortal\n')
    const { status, error } = await set('port', { port: 33_999 })
    assert.deepEqual([status, error.code], [500, 'config_failed'])
    assert.match(error.message, /Can not start: mortal/)
    assert.equal(await file(), '[mysqld]\nbind-address = mortal\n')
  })

  test('groups slow statements without their values, and is switched by a change', async () => {
    assert.deepEqual((await ask('GET', '/slow-log')).data, {
      enabled: false,
      path: '/var/lib/mysql/web1-slow.log',
      long_query_time: 10,
      is_cut: false,
      total: 0,
      queries: [],
    })
    writeFileSync(`${panel.root}/var/lib/mysql/web1-slow.log`, slowLog)
    const { data, text } = await ask('GET', '/slow-log?limit=1')
    assert.deepEqual(
      [data.total, data.queries[0].fingerprint, data.queries[0].mean_seconds],
      [1, 'select * from items where secret = ?', 2],
    )
    assert.doesNotMatch(text, /hunter2/)
    const body = { enabled: true, long_query_time: 0.5 }
    assert.equal((await ask('POST', '/slow-log?plan=1', { body })).data.steps.length, 1)
    assert.equal((await ask('POST', '/slow-log', { body })).status, 200)
    assert.deepEqual(
      ['slow_query_log', 'long_query_time'].map((name) => server.variables.get(name)),
      ['ON', '0.5'],
    )
    assert.equal(server.restarts, 0)
    for (const wrong of [
      {},
      { enabled: true, long_query_time: -1 },
      { enabled: true, long_query_time: 4000 },
    ])
      assert.equal((await ask('POST', '/slow-log', { body: wrong })).error.code, 'bad_request')
    assert.equal((await ask('GET', '/slow-log?limit=0')).error.code, 'bad_request')
  })

  test('gives advice with its figure, and applies what is named', async () => {
    const { data } = await ask('GET', '/tuner')
    assert.deepEqual([data.uptime_seconds, data.is_early], [50, true])
    assert.deepEqual(data.advice, [
      {
        name: 'slow_query_log',
        current: 'OFF',
        suggested: 'ON',
        reason: 'Slow statements are counted, and nothing tells which they are',
        figure: { name: 'slow_queries', value: 3 },
        needs_restart: false,
      },
    ])
    assert.equal((await ask('POST', '/tuner/apply', { body: { names: ['slow_query_log'] } })).status, 200)
    assert.equal(await file(), '[mysqld]\nslow_query_log = ON\n')
    assert.deepEqual((await ask('GET', '/tuner')).data.advice, [])
    for (const names of [['slow_query_log'], ['datadir'], [], ['a; b'], undefined]) {
      const { status, error } = await ask('POST', '/tuner/apply', { body: { names } })
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(names))
      assert.match(error.message, /^names/)
    }
  })

  test('undoes applied advice by the id of its entry', async () => {
    await ask('POST', '/tuner/apply', { body: { names: ['slow_query_log'] } })
    const [entry] = (await panel.request('GET', '/api/activity?sort=-id', { as: panel.admin })).data.items
    const undone = await panel.request('POST', `/api/activity/${entry.id}/undo`, { as: panel.admin })
    assert.ok(undone.status < 300, JSON.stringify(undone.error))
    await until(async () => (await file()) === null && server.variables.get('slow_query_log') === 'OFF')
  })

  test('installs mysqltuner as a second source, whose failure does not hide the advice of the panel', async () => {
    assert.deepEqual((await ask('GET', '/tuner?mysqltuner=true')).data.mysqltuner, {
      installed: false,
      version: null,
      recommendations: null,
      failure: null,
    })
    assert.equal((await ask('POST', '/tuner/install')).status, 202)
    await until(async () => installed.has('mysqltuner'))
    assert.deepEqual((await ask('GET', '/tuner?mysqltuner=true')).data.mysqltuner, {
      installed: true,
      version: '1.9.9',
      recommendations: ['Restrict host'],
      failure: null,
    })
    report = 'Illegal division by zero'
    const { status, data } = await ask('GET', '/tuner?mysqltuner=true')
    assert.deepEqual([status, data.mysqltuner.recommendations, data.advice.length], [200, null, 1])
    assert.match(data.mysqltuner.failure, /Illegal division/)
  })

  test('says that the server is not installed', async () => {
    installed.clear()
    for (const answer of [
      await panel.request('GET', '/api/settings/sqldb', { as: panel.admin }),
      await set('port', { port: 33_999 }),
      await ask('GET', '/slow-log'),
      await ask('GET', '/tuner'),
    ])
      assert.deepEqual([answer.status, answer.error.code], [503, 'unavailable'])
  })

  test('is for those who administer the host, its settings for superusers', async () => {
    const person = await panel.person({ permissions: ['websites_management'] })
    for (const [method, path] of [
      ['GET', '/processes'],
      ['POST', '/processes/5/kill'],
      ['POST', '/processes/kill-all'],
      ['GET', '/monitor-stats'],
      ['GET', '/slow-log'],
      ['POST', '/slow-log'],
      ['GET', '/tuner'],
      ['POST', '/tuner/apply'],
      ['POST', '/tuner/install'],
    ] as const) {
      assert.equal((await ask(method, path, { as: person })).error.code, 'forbidden', path)
      assert.equal((await panel.request(method, `/api/sqldb${path}`)).error.code, 'unauthorized')
    }
    for (const name of ['max-connections', 'port', 'read-only', 'remote'])
      assert.equal((await set(name, {}, { as: keeper })).error.code, 'forbidden', name)
    const read = await panel.request('GET', '/api/settings/sqldb', { as: keeper })
    assert.equal(read.error.code, 'forbidden')
  })
})
