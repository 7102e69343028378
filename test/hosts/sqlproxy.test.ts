import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { bootHost, type Host, type Panel, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { publishProxysql } from './story/proxysql.ts'
import { SignedIn } from './story/signed-in.ts'

const virtual = '192.0.2.100'

describe('the SQL proxy with its virtual address', () => {
  let [writer, reader]: Host[] = []
  let [panel, second]: Panel[] = []
  let [admin, other]: SignedIn[] = []
  before(async () => {
    writer = await bootHost('writer', { image: 'keepalived', addresses: ['192.0.2.11/24'] })
    reader = await bootHost('reader', { image: 'keepalived', addresses: ['192.0.2.12/24'] })
    for (const host of [writer, reader]) {
      await publishProxysql(host)
      const folder = join(host.rootPath, 'etc/mysql/mariadb.conf.d')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, '99-tests.cnf'), '[mariadbd]\nbind-address = 0.0.0.0\nskip-name-resolve\n')
      await host.must(['systemctl', 'start', 'mariadb'], { timeoutMs: 120_000 })
    }
    panel = await startPanel(writer)
    second = await startPanel(reader)
    admin = await SignedIn.as(panel)
    other = await SignedIn.as(second)
    await sql(
      reader,
      "CREATE DATABASE shop; CREATE TABLE shop.items (name VARCHAR(40)); INSERT INTO shop.items VALUES ('copy')",
    )
    await sql(reader, "CREATE USER shop@'%' IDENTIFIED BY 'a-shop-password'; GRANT ALL ON shop.* TO shop@'%'")
  })
  after(async () => {
    await writer?.remove()
    await reader?.remove()
  })

  const sql = async (host: Host, text: string) => (await host.must(['mariadb', '-Ne', text])).stdout.trim()
  const must = (path: string, body?: unknown) =>
    admin!.must(body === undefined ? 'GET' : 'POST', `/api/sqlproxy${path}`, body)
  const ask = (method: string, path: string, body?: unknown) =>
    admin!.ask(method, `/api/sqlproxy${path}`, body)
  const throughProxy = (address: string, text: string) =>
    reader!.exec([
      ...['mariadb', '--connect-timeout=3', '-h', address, '-P', '6033', '-u', 'shop'],
      ...['-pa-shop-password', '-Ne', text],
    ] as [string, ...string[]])
  const has = async (host: Host) =>
    (await host.must(['ip', '-brief', 'address', 'show'])).stdout.includes(`${virtual}/`)
  const holder = async () => [await has(writer!), await has(reader!)].join()
  const untilHeld = (by: 'writer' | 'reader') =>
    until(async () => (await holder()) === (by === 'writer' ? 'true,false' : 'false,true'), {
      everyMs: 200,
      awaited: `the virtual address on the ${by}`,
    })

  it('follows the guide: writes land on one server and reads on the other', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/sql-proxy.md'), 'utf8')
    const output = await runAll(writer!, panel!, shellBlocks(guide)).catch(async (error: Error) => {
      const { stdout } = await writer!.exec(['journalctl', '--no-pager', '--lines=60', '--unit=proxysql'])
      throw new Error(`${error.message}\n${stdout}`, { cause: error })
    })
    assert.match(output, /^copy$/m)
    assert.equal(await sql(writer!, 'SELECT name FROM shop.items'), 'lamp')
    assert.equal(await sql(reader!, 'SELECT name FROM shop.items'), 'copy')
    assert.equal(await sql(writer!, "SELECT COUNT(*) FROM mysql.user WHERE User = 'monitor'"), '1')
    const rules = await must('/query-rules')
    assert.ok(rules[1].hits >= 1 && rules[2].hits >= 1)
    await untilHeld('writer')
    assert.equal((await must('/keepalived/status')).vrrp_state, 'MASTER')
  })

  it('lets other hosts administer it by the remote account alone', async () => {
    const password = 'a-new-remote-password'
    await must('/admin-password', { password })
    const from = (user: string, secret: string) =>
      reader!.exec([
        'mariadb',
        '-h',
        '192.0.2.11',
        '-P',
        '6032',
        '-u',
        user,
        `-p${secret}`,
        '-Ne',
        'SELECT 7',
      ])
    assert.equal((await from('remote-admin', password)).stdout.trim(), '7')
    const file = join(writer!.rootPath, 'root/.hostreeve-proxysql.cnf')
    const local = /^password=(.*)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? ''
    assert.notEqual((await from('admin', local)).code, 0)
    const inside = '--defaults-extra-file=/root/.hostreeve-proxysql.cnf'
    assert.equal((await writer!.must(['mariadb', inside, '-Ne', 'SELECT 8'])).stdout.trim(), '8')
  })

  it('changes the password of its own monitor account, and never that of an account with rights', async () => {
    const answerTo = async (user: string, password: string) => {
      const asUser = ['-h', '192.0.2.11', '-u', user, `-p${password}`, '-Ne', 'SELECT 9']
      return (await reader!.exec(['mariadb', ...asUser])).stdout.trim()
    }
    const set = async (username: string, password: string) =>
      (await must('/monitor-user', { username, password })).monitor
    assert.equal(await set('monitor', 'another-password'), 'kept')
    assert.equal(await answerTo('monitor', 'another-password'), '9')
    for (const password of ['a-first-guess', 'a-second-guess'])
      assert.equal(await set('shop', password), 'kept')
    assert.equal(await answerTo('shop', 'a-shop-password'), '9')
    await set('monitor', 'another-password')
  })

  it('keeps what was set when the proxy is restarted or killed', async () => {
    const before = await must('/backends')
    await must('/restart', {})
    await until(async () => (await must('/status')).answering, { everyMs: 200 })
    const named = (rows: any[]) =>
      rows.map((row) => [row.hostgroup_id, row.hostname, row.weight, row.comment])
    assert.deepEqual(named(await must('/backends')), named(before))
    await writer!.must(['systemctl', 'kill', '--signal=KILL', 'proxysql'])
    await until(async () => (await must('/status')).answering, { everyMs: 200 })
    assert.deepEqual(named(await must('/backends')), named(before))
    assert.equal((await must('/status')).is_split, true)
  })

  it('shows a server that is down, and goes on with the others', async () => {
    await reader!.must(['systemctl', 'stop', 'mariadb'], { timeoutMs: 120_000 })
    assert.notEqual((await throughProxy('192.0.2.11', 'SELECT name FROM shop.items')).code, 0)
    const rows = await must('/backends')
    assert.deepEqual(
      rows.map((row: any) => [row.hostname, row.status]),
      [
        ['192.0.2.11', 'ONLINE'],
        ['192.0.2.12', 'SHUNNED'],
      ],
    )
    assert.match(rows[1].reason, /ECONNREFUSED/)
    assert.equal((await throughProxy('192.0.2.11', "INSERT INTO shop.items VALUES ('vase')")).code, 0)
    await reader!.must(['systemctl', 'start', 'mariadb'], { timeoutMs: 120_000 })
    await admin!.must('POST', '/api/sqlproxy/backends/reset', { hostname: '192.0.2.12', weight: 10 })
    assert.equal((await throughProxy('192.0.2.11', 'SELECT name FROM shop.items')).stdout.trim(), 'copy')
  })

  it('refuses hostile values, and leaves the rows as they were', async () => {
    const before = await must('/backends')
    const { status, code } = await ask('POST', '/backends', { hostname: "a'; DELETE FROM mysql_servers; --" })
    assert.deepEqual([status, code], [400, 'bad_request'])
    await must('/users', { username: "x'; DROP TABLE mysql_users; --", password: "'\\'; --" })
    assert.equal((await must('/backends')).length, before.length)
    assert.equal((await must('/status')).users.length, 2)
    const outside = await ask('POST', '/keepalived/setup', { virtual_ip: '198.51.100.1' })
    assert.deepEqual([outside.status, outside.code], [400, 'bad_request'])
  })

  it('moves the address when the cable is pulled, and returns it', async () => {
    const onOther = (path: string, body: unknown) => other!.must('POST', `/api/sqlproxy${path}`, body)
    await onOther('/install', {})
    await onOther('/backends', { hostname: '192.0.2.12' })
    await onOther('/users', { username: 'shop', password: 'a-shop-password' })
    const setup = { virtual_ip: virtual, priority: 100, peer_ip: '192.0.2.11', auth_pass: 'secret12' }
    await onOther('/keepalived/setup', setup)
    await untilHeld('writer')
    assert.equal((await other!.must('GET', '/api/sqlproxy/keepalived/status')).vrrp_state, 'BACKUP')
    await writer!.cutNetwork()
    await untilHeld('reader')
    assert.equal((await other!.must('GET', '/api/sqlproxy/keepalived/status')).vrrp_state, 'MASTER')
    assert.equal((await throughProxy(virtual, 'SELECT name FROM shop.items')).stdout.trim(), 'copy')
    await writer!.restoreNetwork()
    await untilHeld('writer')
  })

  it('moves the address when the proxy stops, and returns it', async () => {
    await must('/stop', {})
    await untilHeld('reader')
    assert.equal((await must('/keepalived/status')).vrrp_state, 'FAULT')
    await must('/start', {})
    await untilHeld('writer')
    await until(
      async () => (await throughProxy(virtual, 'SELECT name FROM shop.items')).stdout.trim() === 'copy',
      {
        everyMs: 200,
      },
    )
  })

  it('gives the address away, and is removed', async () => {
    await must('/keepalived/disable', {})
    await untilHeld('reader')
    assert.equal((await must('/keepalived/status')).configured, false)
    await must('/remove', {})
    assert.equal((await must('/status')).installed, false)
    assert.notEqual((await throughProxy('192.0.2.11', 'SELECT 1')).code, 0)
  })
})
