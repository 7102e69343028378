import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { areas } from '../../app/areas.ts'
import type { AdminRow } from '../../tools/proxysql/index.ts'
import { on } from '../../host/testing/scripted-run.ts'
import { openProxyPanel, type ProxyPanel } from './testing/proxy-panel.ts'

const asking = (proxy: () => ProxyPanel) => async (method: string, path: string, body?: object) => {
  const { panel } = proxy()
  return panel.request(method, `/api/sqlproxy${path}`, { as: panel.admin, ...(body && { body }) })
}

describe('the SQL proxy', () => {
  let proxy: ProxyPanel
  before(async () => void (proxy = await openProxyPanel({ isInstalled: false })))
  after(() => proxy.close())
  const ask = asking(() => proxy)
  const must = async (method: string, path: string, body?: object) => {
    const { status, data, text } = await ask(method, path, body)
    assert.equal(status, 200, text)
    return data
  }
  const refused = async (path: string, body: object, method = 'POST') => {
    const { status, error } = await ask(method, path, body)
    assert.equal(status, 400)
    assert.equal(error.code, 'bad_request')
    return error.message as string
  }
  const rowsIn = (table: string) =>
    ['main.', 'main.runtime_', 'disk.'].map((layer) =>
      proxy.standIn.tables.rows(`SELECT * FROM ${layer}${table}`),
    ) as unknown as [AdminRow[], AdminRow[], AdminRow[]]

  test('is not there before it is installed, and is neither removed nor switched', async () => {
    const { installed, running, reason } = await must('GET', '/status')
    assert.deepEqual([installed, running, reason], [false, false, 'ProxySQL is not installed'])
    for (const path of ['/start', '/remove'])
      assert.equal((await ask('POST', path)).error.code, 'unavailable')
    assert.match(await refused('/admin-password', { password: 'a-long-password' }), /install it first/)
  })

  test('leaves nothing of an installation that fails', async () => {
    proxy.fail = (argv) =>
      argv[0] === 'apt-get' && argv.includes('install')
        ? { code: 100, stderr: 'E: no such package' }
        : undefined
    const { status, error } = await ask('POST', '/install')
    proxy.fail = undefined
    assert.deepEqual([status, error.code], [500, 'install_failed'])
    assert.match(error.message, /no such package/)
    assert.equal((await must('GET', '/status')).installed, false)
  })

  test('is installed with passwords of its own, which only root reads', async () => {
    const { remote_user, remote_password } = await must('POST', '/install')
    const credentials = proxy.standIn.tables.variable('admin-admin_credentials')
    const path = `${proxy.panel.root}/root/.hostreeve-proxysql.cnf`
    const local = /^password=(.*)$/m.exec(readFileSync(path, 'utf8'))?.[1]
    assert.equal(credentials, `admin:${local};${remote_user}:${remote_password}`)
    assert.match(proxy.standIn.tables.variable('admin-mysql_ifaces'), /^0\.0\.0\.0:6032;/)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(`${proxy.panel.root}/var/lib/proxysql`).mode & 0o777, 0o700)
    assert.deepEqual(proxy.services.get('proxysql'), { isActive: true, isEnabled: true })
    const status = await must('GET', '/status')
    assert.deepEqual(
      [status.installed, status.running, status.answering, status.reason, status.monitor_user],
      [true, true, true, null, 'monitor'],
    )
    const again = await ask('POST', '/install')
    assert.deepEqual([again.status, again.error.code], [400, 'already_installed'])
  })

  test('sets the password of the remote account and keeps that of the local one', async () => {
    const [local] = proxy.standIn.tables.variable('admin-admin_credentials').split(';')
    await must('POST', '/admin-password', { password: "it's-a-new-one" })
    const [, , disk] = rowsIn('global_variables')
    const saved = disk.find((row) => row['variable_name'] === 'admin-admin_credentials')
    assert.equal(saved?.['variable_value'], `${local};remote-admin:it's-a-new-one`)
    for (const password of ['has:a-colon-in-it', 'has;a-semicolon', 'has a space in it', 'short'])
      assert.match(await refused('/admin-password', { password }), /password/)
  })

  test('adds servers in memory, in the running proxy and on disk', async () => {
    const added = await must('POST', '/backends', { hostname: 'db1.example.com', comment: "the 'first'; --" })
    assert.equal(added.monitor, 'elsewhere')
    await must('POST', '/backends', { hostname: '192.0.2.12', port: 0, hostgroup_id: 1, weight: 5 })
    for (const rows of rowsIn('mysql_servers'))
      assert.deepEqual(
        rows.map((row) => [
          row['hostgroup_id'],
          row['hostname'],
          row['port'],
          row['weight'],
          row['max_connections'],
        ]),
        [
          [0, 'db1.example.com', 3306, 1, 100],
          [1, '192.0.2.12', 3306, 5, 100],
        ],
      )
    const [first] = await must('GET', '/backends')
    assert.deepEqual(
      [first.hostgroup_id, first.hostname, first.status, first.comment],
      [0, 'db1.example.com', 'ONLINE', "the 'first'; --"],
    )
    assert.match(await refused('/backends', { hostname: 'db1.example.com' }), /is in hostgroup 0 already/)
  })

  test('refuses hostile and impossible values of a server by their field', async () => {
    const bad: readonly (readonly [string, object])[] = [
      ['hostname', { hostname: "a'; DROP TABLE mysql_servers; --" }],
      ['hostname', { hostname: 'a b' }],
      ['hostname', {}],
      ['hostname: ::::: is neither', { hostname: ':::::' }],
      ['hostname: 192.0.2 is neither', { hostname: '192.0.2' }],
      ['hostname: 999.1.1.1 is neither', { hostname: '999.1.1.1' }],
      ['hostname: a..b is neither', { hostname: 'a..b' }],
      ['port', { hostname: 'a', port: 65_536 }],
      ['weight', { hostname: 'a', weight: -1 }],
      ['weight', { hostname: 'a', weight: 10_000_001 }],
      ['hostgroup_id', { hostname: 'a', hostgroup_id: -1 }],
      ['max_connections: must be a whole number from 0 to 1000000', { hostname: 'a', max_connections: -1 }],
      ['comment', { hostname: 'a', comment: 'x\u0000y' }],
    ]
    for (const [field, body] of bad) assert.match(await refused('/backends', body), new RegExp(field))
    assert.equal(rowsIn('mysql_servers')[0].length, 2)
  })

  test('changes, limits, resets and removes a server', async () => {
    const key = { hostname: '192.0.2.12' }
    const find = async () =>
      (await must('GET', '/backends')).find((row: any) => row.hostname === key.hostname)
    await must('PUT', '/backends', { ...key, weight: 7, comment: 'reader' })
    assert.deepEqual(
      [(await find()).weight, (await find()).comment, (await find()).hostgroup_id],
      [7, 'reader', 1],
    )
    await must('POST', '/backends/max-connections', { ...key, max_connections: 33 })
    assert.equal((await find()).max_connections, 33)
    await must('PUT', '/backends', { ...key, hostgroup_id: 2 })
    assert.deepEqual([(await find()).hostgroup_id, (await find()).max_connections], [2, 100])
    await must('POST', '/backends/reset', { ...key, hostgroup_id: 1 })
    assert.deepEqual([(await find()).hostgroup_id, (await find()).weight, (await find()).comment], [1, 1, ''])
    for (const [method, path] of [
      ['PUT', '/backends'],
      ['DELETE', '/backends'],
      ['POST', '/backends/reset'],
      ['POST', '/backends/max-connections'],
    ] as const)
      assert.match(
        await refused(
          path,
          { hostname: 'nowhere', ...(path.endsWith('max-connections') && { max_connections: 1 }) },
          method,
        ),
        /no server nowhere:3306/,
      )
    await must('POST', '/backends', { ...key, hostgroup_id: 0 })
    assert.match(await refused('/backends', { ...key, hostgroup_id: 5 }, 'PUT'), /in several hostgroups/)
    await must('DELETE', '/backends', key)
    for (const rows of rowsIn('mysql_servers')) assert.equal(rows.length, 1)
  })

  test('adds users whose names and passwords are kept as they are', async () => {
    const hostile = "o'brien\\'; --"
    await must('POST', '/users', { username: hostile, password: "p'; DROP TABLE mysql_users; --\\" })
    const [memory, runtime, disk] = rowsIn('mysql_users')
    for (const rows of [memory, disk])
      assert.deepEqual(
        [rows[0]?.['username'], rows[0]?.['password']],
        [hostile, "p'; DROP TABLE mysql_users; --\\"],
      )
    assert.equal(runtime.length, 2)
    await must('POST', '/users', { username: hostile, default_hostgroup: 1, max_connections: 5 })
    assert.equal(rowsIn('mysql_users')[0][0]?.['password'], "p'; DROP TABLE mysql_users; --\\")
    assert.deepEqual((await must('GET', '/status')).users, [
      { username: hostile, default_hostgroup: 1, active: true, max_connections: 5 },
    ])
    await must('POST', '/users', { username: hostile, active: false })
    assert.deepEqual(rowsIn('mysql_users')[1], [])
    assert.match(await refused('/users', { username: 'new' }), /password/)
    assert.match(await refused('/users', { username: '', password: 'x' }), /username/)
  })

  test('splits reads from writes, and no longer', async () => {
    assert.match(await refused('/read-write-split', {}), /hostgroup 1 has no server/)
    assert.match(await refused('/read-write-split', { reader_hostgroup: 0 }), /another than/)
    await must('POST', '/backends', { hostname: 'db2.example.com', hostgroup_id: 1 })
    await must('POST', '/read-write-split', {})
    const rules = await must('GET', '/query-rules')
    assert.deepEqual(
      rules.map((rule: any) => [
        rule.rule_id,
        rule.destination_hostgroup,
        rule.apply,
        rule.active,
        rule.hits,
      ]),
      [
        [1000, 0, true, true, 0],
        [1001, 1, true, true, 0],
        [1002, 0, true, true, 0],
      ],
    )
    for (const rows of rowsIn('mysql_query_rules')) assert.equal(rows.length, 3)
    assert.equal((await must('GET', '/status')).is_split, true)
    await must('POST', '/read-write-split', { enabled: false })
    for (const rows of rowsIn('mysql_query_rules')) assert.equal(rows.length, 0)
    proxy.standIn.tables.database.exec('INSERT INTO main.mysql_query_rules (rule_id) VALUES (1001)')
    assert.match(await refused('/read-write-split', {}), /another rule 1001/)
    proxy.standIn.tables.database.exec('DELETE FROM main.mysql_query_rules')
  })

  test('sets the monitor account', async () => {
    const set = await must('POST', '/monitor-user', { username: "mon'itor", password: 'pass:word;1' })
    assert.equal(set.monitor, 'elsewhere')
    assert.equal(proxy.standIn.tables.variable('mysql-monitor_username'), "mon'itor")
    assert.equal(proxy.standIn.tables.variable('mysql-monitor_password'), 'pass:word;1')
    assert.match(await refused('/monitor-user', { username: 'monitor' }), /password/)
    assert.match(await refused('/monitor-user', { password: '••••••••' }), /password: is masked/)
    assert.equal(proxy.standIn.tables.variable('mysql-monitor_password'), 'pass:word;1')
  })

  test('shows statistics and sets them to zero', async () => {
    proxy.standIn.tables.database.exec(
      "INSERT INTO stats.stats_mysql_query_digest VALUES (1, 'shop', 'ada', 'SELECT ?', 3, 300)",
    )
    const { questions, backends, statements } = await must('GET', '/stats')
    assert.deepEqual([questions, backends.length], [3, 2])
    assert.deepEqual(statements, [
      { hostgroup_id: 1, schema: 'shop', username: 'ada', text: 'SELECT ?', count: 3, time_us: 300 },
    ])
    await must('POST', '/reset-stats')
    assert.deepEqual((await must('GET', '/stats')).statements, [])
  })

  test('does not act for a plan', async () => {
    const { status } = await ask('POST', '/backends?plan=1', { hostname: 'planned' })
    assert.equal(status, 200)
    for (const rows of rowsIn('mysql_servers')) assert.equal(rows.length, 2)
  })

  test('requires the permission for everything', async () => {
    const person = await proxy.panel.person({ permissions: [] })
    const area = areas.find(({ name }) => name === 'sqlproxy')!
    for (const { method, path } of Object.values(area.endpoints)) {
      const answer = await proxy.panel.request(method, `/api/sqlproxy${path}`, { as: person })
      assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden'], path)
    }
  })

  test('states why the service does not start, and a removal fails', async () => {
    proxy.fail = (argv) =>
      argv.includes('restart') && argv.includes('proxysql.service')
        ? { code: 1, stderr: 'port in use' }
        : undefined
    const restart = await ask('POST', '/restart')
    assert.deepEqual([restart.status, restart.error.code], [500, 'service_failed'])
    proxy.fail = (argv) =>
      argv[0] === 'apt-get' && argv.includes('remove')
        ? { code: 100, stderr: 'E: dpkg was broken' }
        : undefined
    const removed = await ask('POST', '/remove')
    proxy.fail = undefined
    assert.deepEqual([removed.status, removed.error.code], [500, 'remove_failed'])
  })

  test('states what failed while the proxy does not answer', async () => {
    await proxy.standIn.stop()
    const failing: readonly (readonly [string, string, string, object?])[] = [
      ['GET', '/backends', 'list_error'],
      ['GET', '/query-rules', 'list_error'],
      ['GET', '/stats', 'stats_error'],
      ['POST', '/backends', 'add_failed', { hostname: 'a' }],
      ['PUT', '/backends', 'update_failed', { hostname: 'a' }],
      ['DELETE', '/backends', 'remove_failed', { hostname: 'a' }],
      ['POST', '/backends/max-connections', 'update_failed', { hostname: 'a', max_connections: 1 }],
      ['POST', '/backends/reset', 'reset_failed', { hostname: 'a' }],
      ['POST', '/monitor-user', 'monitor_failed', { username: 'a', password: 'b' }],
      ['POST', '/users', 'user_failed', { username: 'a', password: 'b' }],
      ['POST', '/read-write-split', 'split_failed', {}],
      ['POST', '/reset-stats', 'reset_failed'],
      ['POST', '/admin-password', 'change_failed', { password: 'a-long-password' }],
    ]
    for (const [method, path, code, body] of failing) {
      const { status, error } = await ask(method, path, body)
      assert.deepEqual([status, error.code], [500, code], `${method} ${path}`)
    }
    assert.equal((await must('GET', '/status')).answering, false)
    await must('POST', '/stop')
    await must('POST', '/start')
    await must('POST', '/remove')
    assert.equal((await must('GET', '/status')).installed, false)
    const planned = await ask('POST', '/install?plan=1')
    assert.equal(planned.status, 200, planned.text)
    assert.doesNotMatch(planned.text, /remote-admin:/)
  })
})

describe('the virtual address', () => {
  let proxy: ProxyPanel
  before(async () => void (proxy = await openProxyPanel()))
  after(() => proxy.close())
  const ask = asking(() => proxy)
  const path = () => `${proxy.panel.root}/etc/keepalived/keepalived.conf`
  const set = (body: object) => ask('POST', '/keepalived/setup', body)

  test('is refused by field where it cannot work', async () => {
    const bad: readonly (readonly [RegExp, object])[] = [
      [/virtual_ip/, {}],
      [/virtual_ip: 198\.51\.100\.1 is in no network/, { virtual_ip: '198.51.100.1' }],
      [/virtual_ip: 192\.0\.2\.11 is an address of this host/, { virtual_ip: '192.0.2.11' }],
      [/virtual_ip/, { virtual_ip: '2001:db8::1' }],
      [/virtual_ip: 192\.0\.2\.300 is no IPv4/, { virtual_ip: '192.0.2.300' }],
      [/prefix must be from 24 to 32/, { virtual_ip: '192.0.2.100/33' }],
      [/prefix must be from 24 to 32/, { virtual_ip: '192.0.2.100/1' }],
      [/virtual_ip: 192\.0\.2\.0 is the network or broadcast/, { virtual_ip: '192.0.2.0' }],
      [/virtual_ip: 192\.0\.2\.255 is the network or broadcast/, { virtual_ip: '192.0.2.255' }],
      [/virtual_ip/, { virtual_ip: '127.0.0.9' }],
      [/priority/, { virtual_ip: '192.0.2.100', priority: 0 }],
      [/priority/, { virtual_ip: '192.0.2.100', priority: 256 }],
      [/state/, { virtual_ip: '192.0.2.100', state: 'FAULT' }],
      [/peer_ip/, { virtual_ip: '192.0.2.100', peer_ip: '192.0.2.11' }],
      ...['0.0.0.0', '255.255.255.255', '224.0.0.18'].map(
        (peer_ip) => [/peer_ip/, { virtual_ip: '192.0.2.100', peer_ip }] as const,
      ),
      [/auth_pass/, { virtual_ip: '192.0.2.100', auth_pass: 'has space' }],
      [/auth_pass/, { virtual_ip: '192.0.2.100', auth_pass: 'ninechars' }],
      [/auth_pass/, { virtual_ip: '192.0.2.100', auth_pass: '}\n{' }],
    ]
    for (const [message, body] of bad) {
      const { status, error } = await set(body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], error.message)
      assert.match(error.message, message)
    }
  })

  test('is set up, read and removed', async () => {
    const body = { virtual_ip: '192.0.2.100', priority: 120, peer_ip: '192.0.2.12', auth_pass: 'secret12' }
    const { status, text } = await set(body)
    assert.equal(status, 200, text)
    const content = readFileSync(path(), 'utf8')
    for (const line of [
      'interface eth0',
      'virtual_router_id 100',
      'priority 120',
      '192.0.2.100/24',
      'auth_pass secret12',
    ])
      assert.ok(content.includes(line), line)
    assert.equal(statSync(path()).mode & 0o777, 0o600)
    assert.deepEqual(proxy.services.get('keepalived'), { isActive: true, isEnabled: true })
    assert.deepEqual((await ask('GET', '/keepalived/status')).data, {
      ...{ installed: true, running: true, configured: true, vrrp_state: 'BACKUP' },
      ...{ virtual_ip: '192.0.2.100/24', interface: 'eth0', priority: 120, state: 'BACKUP' },
      ...{ peer_ip: '192.0.2.12', has_auth_pass: true },
    })
    const { auth_pass: _password, ...unchanged } = body
    await set({ ...unchanged, priority: 110 })
    assert.match(readFileSync(path(), 'utf8'), /priority 110[^]*auth_pass secret12/)
    await set({ ...unchanged, auth_pass: '' })
    assert.doesNotMatch(readFileSync(path(), 'utf8'), /auth_pass/)
    await set(body)
    const planned = await ask('POST', '/keepalived/disable?plan=1')
    assert.doesNotMatch(planned.text, /secret12/)
    proxy.fail = on('systemctl --no-ask-password stop -- keepalived.service', { code: 1, stderr: 'busy' })
    const failed = await ask('POST', '/keepalived/disable')
    proxy.fail = undefined
    assert.deepEqual([failed.status, failed.error.code], [500, 'disable_failed'])
    assert.equal((await ask('POST', '/keepalived/disable')).status, 200)
    assert.deepEqual(proxy.services.get('keepalived'), { isActive: false, isEnabled: false })
    assert.equal((await ask('GET', '/keepalived/status')).data.vrrp_state, 'STOPPED')
  })

  test('is not set up with a configuration that keepalived rejects, or over one of somebody else', async () => {
    proxy.fail = ([program]) =>
      program === 'keepalived' ? { code: 5, stderr: '(Line 10) outside range' } : undefined
    const rejected = await set({ virtual_ip: '192.0.2.100' })
    proxy.fail = undefined
    assert.deepEqual([rejected.status, rejected.error.code], [500, 'setup_failed'])
    assert.match(rejected.error.message, /outside range/)
    assert.equal((await ask('GET', '/keepalived/status')).data.configured, false)
    await proxy.panel.host.files.write('/etc/keepalived/keepalived.conf', 'vrrp_instance other {}\n')
    proxy.services.set('keepalived', { isActive: true, isEnabled: true })
    const switched: string[] = []
    proxy.fail = ([program, ...args]) => {
      if (program === 'systemctl' && /\b(?:stop|disable)\b/.test(args.join(' ')))
        switched.push(args.join(' '))
      return undefined
    }
    for (const verb of ['setup', 'disable']) {
      const { status, error } = await ask('POST', `/keepalived/${verb}`, { virtual_ip: '192.0.2.100' })
      assert.deepEqual([status, error.code], [409, 'conflict'], verb)
    }
    proxy.fail = undefined
    assert.deepEqual(switched, [])
    assert.equal(readFileSync(path(), 'utf8'), 'vrrp_instance other {}\n')
  })
})
