import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { killWhile } from './story/kill.ts'
import { holdPort } from './story/port-holder.ts'
import { SignedIn } from './story/signed-in.ts'

const dropIn = 'etc/mysql/mariadb.conf.d/99-hostreeve.cnf'
const limitMs = 60_000

describe('the SQL server that runs', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('sqlserver', { image: 'mariadb' })
    await host.must(['systemctl', 'start', 'mariadb'], { timeoutMs: limitMs })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  /** Runs statements with the client of the host, and returns its output. */
  const sql = async (statement: string, ...args: readonly string[]) =>
    (await host.must(['mariadb', ...args, '-Ne', statement], { timeoutMs: limitMs })).stdout.trim()
  const set = (name: string, body: object) => admin.ask('POST', `/api/settings/sqldb/${name}`, body)
  const mainPid = async () =>
    (await host.must(['systemctl', 'show', '--property=MainPID', '--value', 'mariadb'])).stdout.trim()
  const file = () => readFile(join(host.rootPath, dropIn), 'utf8').catch(() => null)
  const listening = async () => (await host.must(['ss', '-Hltn'])).stdout
  const lastEntry = async () => (await admin.must('GET', '/api/activity?sort=-id')).items[0]
  const processes = async () => (await admin.must('GET', '/api/sqldb/processes')).processes
  const find = (text: string, isThere: (process: any) => boolean = () => true) =>
    poll(`a connection that runs ${text}`, limitMs, async () =>
      (await processes()).find((each: any) => each.info?.includes(text) && isThere(each)),
    )

  it('shows who waits for whom, and ends the one that is named', async () => {
    await sql('create database shop; create table shop.items (id int primary key, n int)')
    await sql('insert into shop.items values (1, 0)')
    const held = 'begin; update shop.items set n = 1; select sleep(600)'
    const holder = host.exec(['mariadb', '-e', held], { timeoutMs: 120_000 })
    const { id } = await find('sleep(600)')
    const waiter = host.exec(['mariadb', '-e', 'update shop.items set n = 2'], { timeoutMs: 120_000 })
    const { blocked_by } = await find('set n = 2', (each) => each.blocked_by.length > 0)
    assert.deepEqual(blocked_by, [id])
    assert.deepEqual(await admin.must('POST', `/api/sqldb/processes/${id}/kill`), { killed: true })
    assert.match((await holder).stderr, /Lost connection|killed/i)
    assert.equal((await waiter).code, 0)
    assert.equal(await sql('select n from shop.items'), '2')
    const refused = await admin.ask('POST', '/api/sqldb/processes/1%3B%20DROP/kill')
    assert.deepEqual([refused.status, refused.code], [500, 'kill_failed'])
  })

  it('ends all that runs at once, and counts it', async () => {
    const busy = [1, 2].map((each) =>
      host.exec(['mariadb', '-e', `select sleep(600) as busy${each}`], { timeoutMs: 120_000 }),
    )
    await find('busy1')
    await find('busy2')
    assert.deepEqual(await admin.must('POST', '/api/sqldb/processes/kill-all'), { killed: 2 })
    for (const each of busy) assert.notEqual((await each).code, 0)
  })

  it('shows figures of the server, and zero while it is stopped', async () => {
    const { stats, databases } = await admin.must('GET', '/api/sqldb/monitor-stats')
    assert.ok(stats.connections >= 1)
    assert.deepEqual(
      databases.map(({ name }: { name: string }) => name),
      ['shop'],
    )
    await admin.must('POST', '/api/sqldb/stop')
    const { stats: stopped, databases: none } = await admin.must('GET', '/api/sqldb/monitor-stats')
    assert.deepEqual([stopped.connections, stopped.buffer_hit_rate, none], [0, 0, []])
    assert.equal((await admin.ask('GET', '/api/sqldb/processes')).code, 'sql_error')
    await admin.must('POST', '/api/sqldb/start')
  })

  it('accepts more connections without a restart, and still after one', async () => {
    const pid = await mainPid()
    await admin.must('POST', '/api/settings/sqldb/max-connections', { max_connections: 300 })
    assert.deepEqual([await sql('select @@max_connections'), await mainPid()], ['300', pid])
    await admin.must('POST', '/api/sqldb/restart')
    assert.equal(await sql('select @@max_connections'), '300')
    for (const max_connections of [0, 10_000_000])
      assert.equal((await set('max-connections', { max_connections })).code, 'bad_request')
  })

  it('gives back the former limit where the service may not open that many files', async () => {
    const before = await file()
    const { status, code, message } = await set('max-connections', { max_connections: 100_000 })
    if (status === 200) assert.equal(await sql('select @@max_connections'), '100000')
    else {
      assert.deepEqual([status, code], [500, 'config_failed'], message)
      assert.deepEqual([await file(), await sql('select @@max_connections')], [before, '300'])
    }
    await admin.must('POST', '/api/settings/sqldb/max-connections', { max_connections: 300 })
  })

  it('moves to another port and listens for other hosts, until that is undone', async () => {
    await admin.must('POST', '/api/settings/sqldb/port', { port: 3307 })
    assert.match(await listening(), /127\.0\.0\.1:3307 /)
    assert.doesNotMatch(await listening(), /:3306 /)
    await admin.must('POST', '/api/settings/sqldb/remote', { remote: true })
    assert.match(await listening(), /(?:\*|0\.0\.0\.0):3307 /)
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    await admin.must('POST', `/api/activity/${items[0].id}/undo`)
    await poll('the undo', limitMs, async () => /127\.0\.0\.1:3307 /.test(await listening()) || undefined)
    const { remote, port, not_in_effect } = await admin.must('GET', '/api/settings/sqldb')
    assert.deepEqual([remote, port, not_in_effect], [false, 3307, []])
  })

  it('refuses a port on which a program listens, and names it', async () => {
    const release = await holdPort(host, 3999, '127.0.0.1')
    const { status, code, error } = await set('port', { port: 3999 })
    await release()
    assert.deepEqual([status, code, error['port']], [409, 'conflict', 3999])
    assert.match(await listening(), /127\.0\.0\.1:3307 /)
  })

  it('runs as before where it does not start with a setting, and the answer quotes it', async () => {
    const before = await file()
    // bound, and not listening: only the server itself finds out
    const bind =
      'socket(S,PF_INET,SOCK_STREAM,0); bind(S,sockaddr_in(3310,INADDR_ANY)) or die; open(F,">/root/bound"); sleep'
    await host.must(['systemd-run', '--quiet', '--unit=binder', 'perl', '-MSocket', '-e', bind])
    await poll(
      'the port to be bound',
      limitMs,
      async () => existsSync(join(host.rootPath, 'root/bound')) || undefined,
    )
    const { status, code, message } = await set('port', { port: 3310 })
    await host.must(['systemctl', 'stop', 'binder'])
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    assert.match(message, /mariadb/)
    assert.equal(await file(), before)
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    assert.equal(items[0].status, 'restored', items[0].message)
    assert.equal(await sql('select @@port'), '3307')
  })

  it('refuses a file that the server does not take, before it restarts', async () => {
    const pid = await mainPid()
    await host.must(['sh', '-c', `echo nonsense_option=1 >> /${dropIn}`])
    const { status, code, message } = await set('port', { port: 3311 })
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    assert.match(message, /nonsense_option/)
    assert.equal(await mainPid(), pid)
    await host.must(['sed', '-i', '/nonsense_option/d', `/${dropIn}`])
  })

  it('refuses changes of data by an account, and not by root', async () => {
    await sql("create user 'app'@'localhost' identified by 'x'; grant all on shop.* to 'app'@'localhost'")
    const change = () =>
      host.exec(['mariadb', '-uapp', '-px', 'shop', '-e', 'update items set n = n + 1'], {
        timeoutMs: limitMs,
      })
    await admin.must('POST', '/api/settings/sqldb/read-only', { read_only: true })
    assert.match((await change()).stderr, /read-only/)
    await admin.must('POST', '/api/settings/sqldb/read-only', { read_only: false })
    assert.equal((await change()).code, 0)
  })

  it('logs slow statements once it is advised, and groups them without their values', async () => {
    const { advice } = await admin.must('GET', '/api/sqldb/tuner')
    assert.ok(advice.some(({ name }: { name: string }) => name === 'slow_query_log'))
    await admin.must('POST', '/api/sqldb/tuner/apply', { names: ['slow_query_log'] })
    assert.equal(await sql('select @@slow_query_log'), '1')
    await admin.must('POST', '/api/sqldb/slow-log', { enabled: true, long_query_time: 0.1 })
    for (const secret of ["'first secret'", "'second'"])
      await sql(`select sleep(0.3), ${secret} from shop.items`)
    const { enabled, queries, path } = await admin.must('GET', '/api/sqldb/slow-log')
    assert.equal(enabled, true)
    assert.match(path, /^\/var\/lib\/mysql\/.*slow\.log$/)
    const found = queries.find((each: any) => each.fingerprint === 'select sleep(?), ? from shop.items')
    assert.equal(found?.count, 2, JSON.stringify(queries))
    assert.ok(found.total_seconds >= 0.6)
  })

  it('applies advice whole or not at all when the panel is killed meanwhile, and the activity says which', async (t) => {
    await admin.must('POST', '/api/sqldb/slow-log', { enabled: false })
    const [former, last] = [await file(), await lastEntry()]
    const folder = dirname(join(host.rootPath, dropIn))
    const candidates = () => readdirSync(folder).filter((name) => name.includes('.hostreeve-'))
    let seen: readonly string[] = []
    const isAnswered = await killWhile(
      panel,
      () => admin.ask('POST', '/api/sqldb/tuner/apply', { names: ['slow_query_log'] }),
      () => (seen = candidates()).length > 0,
    )
    if (isAnswered) t.diagnostic('missed: it answered before it was killed')
    else assert.equal(seen.length, 1)
    const { status, message } = await poll('the change to be settled', limitMs, async () => {
      const found = await lastEntry()
      return found.id > last.id ? found : undefined
    })
    const isApplied = status === 'ok'
    assert.ok(isApplied || status === 'restored', `${status}: ${message}`)
    assert.equal(await sql('select @@slow_query_log'), isApplied ? '1' : '0')
    assert.equal((await file()) === former, !isApplied)
    assert.deepEqual(candidates(), [])
  })
})
