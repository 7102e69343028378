import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { orderOf } from '../../changes/testing/parcel.ts'
import { backUp } from './auto-backup.ts'

const isRoot = process.getuid?.() === 0

const config = `# by hand
global
  user haproxy
userlist ops
  user ann insecure-password s3cret

defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s

frontend web
  bind :8080
  default_backend app

backend app
  balance leastconn
  server a 192.0.2.1:80 check inter 2s # mind
  server b 192.0.2.2:443 ssl verify none

backend spare
`

describe('lbproxy', () => {
  let panel: TestPanel
  let keeper: Person
  let path: string
  let checked: string[] = []
  const haproxy: Script = ([program, ...args]) => {
    if (program !== 'haproxy') return undefined
    if (args[0] === '-v')
      return { stdout: 'HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/\n' }
    const name = args.at(-1)!
    const text = readFileSync(name.startsWith(panel.root) ? name : `${panel.root}${name}`, 'utf8')
    checked.push(text)
    return text.includes('nonsense')
      ? {
          code: 1,
          stderr: `[ALERT]    (77) : config : parsing [${args.at(-1)}:9] : unknown keyword 'nonsense'`,
        }
      : { stdout: 'Configuration file is valid\n' }
  }
  const packages = new Map<string, string>()
  before(async () => {
    panel = await openTestPanel({ scripts: [haproxy, scriptPackages(packages, { haproxy: '2.6.12' })] })
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    mkdirSync(`${panel.root}/etc/haproxy`)
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    writeFileSync(`${panel.root}/usr/sbin/haproxy`, '')
    path = `${panel.root}/etc/haproxy/haproxy.cfg`
  })
  after(() => panel.close())
  beforeEach(() => {
    writeFileSync(path, config)
    checked = []
  })

  const ask = (method: string, at: string, body?: unknown, as: Person = keeper) =>
    panel.request(method, `/api/lbproxy${at}`, { as, ...(body !== undefined && { body }) })
  const live = () => readFileSync(path, 'utf8')
  const refusal = async (method: string, at: string, body?: unknown) => {
    const { status, json } = await ask(method, at, body)
    assert.deepEqual(Object.keys(json.error), status === 403 ? ['code', 'message'] : ['message'])
    return `${status} ${json.error.message}`
  }

  test('answers 404 for an edit of a frontend that does not exist, also one that changes nothing', async () => {
    writeFileSync(path, config)
    for (const body of [{}, { mode: 'http' }, { default_backend: 'app' }]) {
      const answer = await panel.request('PUT', '/api/lbproxy/frontends/none', { as: keeper, body })
      assert.deepEqual([answer.status, answer.error.message], [404, 'name: there is no frontend none'])
    }
  })

  test('lists backends with their servers, which are UP when HAProxy does not answer', async () => {
    const { status, data } = await ask('GET', '/backends')
    assert.equal(status, 200)
    assert.deepEqual(data[0], {
      name: 'app',
      mode: 'http',
      balance: 'leastconn',
      servers: [
        {
          name: 'a',
          address: '192.0.2.1',
          port: 80,
          weight: null,
          status: 'UP',
          backup: false,
          ssl: false,
          check: true,
          interval: '2s',
        },
        {
          name: 'b',
          address: '192.0.2.2',
          port: 443,
          weight: null,
          status: 'UP',
          backup: false,
          ssl: true,
          check: false,
        },
      ],
    })
  })

  test('returns an empty list if the configuration cannot be read', async () => {
    rmSync(path)
    assert.deepEqual((await ask('GET', '/backends')).data, [])
    assert.deepEqual((await ask('GET', '/frontends')).data, [])
  })

  test('adds a backend with its defaults after a check, and changes nothing else', async () => {
    const { status, data } = await ask('POST', '/backends', { name: 'fresh' })
    assert.deepEqual(
      [status, data],
      [201, { name: 'fresh', mode: 'http', balance: 'roundrobin', servers: [] }],
    )
    assert.equal(live(), `${config}\nbackend fresh\n    mode http\n    balance roundrobin\n`)
    assert.deepEqual(checked, [live()])
  })

  test('adds, changes and removes a server; port 443 uses TLS, and parameters outside the form are kept', async () => {
    const added = await ask('POST', '/backends/app/servers', {
      name: 'c',
      address: '2001:db8::1',
      port: 443,
      weight: 3,
      backup: true,
    })
    assert.deepEqual([added.status, added.data.ssl, added.data.address], [201, true, '2001:db8::1'])
    assert.match(live(), /^ {2}server c \[2001:db8::1\]:443 check weight 3 ssl verify none backup$/m)
    const startedAt = performance.now()
    const changed = await ask('PUT', '/backends/app/servers/a', { name: 'a2', address: '192.0.2.9', port: 0 })
    assert.ok(performance.now() - startedAt >= 300)
    assert.deepEqual([changed.status, changed.data.name, changed.data.port], [200, 'a2', 80])
    assert.match(live(), /^ {2}server a2 192\.0\.2\.9:80 check inter 2s # mind$/m)
    assert.deepEqual((await ask('DELETE', '/backends/app/servers/a2')).data, { success: true })
    assert.doesNotMatch(live(), /a2/)
  })

  test('accepts a server in the form in which it was returned', async () => {
    await ask('POST', '/backends', { name: 'mirror' })
    const made = await ask('POST', '/backends/mirror/servers', { name: 'a', address: '[::1]', port: 8081 })
    assert.equal(made.data.weight, null)
    assert.deepEqual((await ask('PUT', '/backends/mirror/servers/a', made.data)).data, made.data)
  })

  test('copies a backend under another name and port', async () => {
    const { status, data } = await ask('POST', '/backends/duplicate', {
      source: 'app',
      name: 'copy',
      port: 443,
    })
    assert.equal(status, 201)
    assert.deepEqual(
      data.servers.map(({ name, port, ssl }: any) => [name, port, ssl]),
      [
        ['copy_1', 443, true],
        ['copy_2', 443, true],
      ],
    )
    assert.match(
      await refusal('POST', '/backends/duplicate', { source: 'spare', name: 'x' }),
      /^404 source: there is no backend spare with servers or a mode/,
    )
    assert.match(await refusal('POST', '/backends/duplicate', { source: 'nope', name: 'x' }), /^404 /)
  })

  test('refuses with messages without a code, and changes nothing', async () => {
    assert.match(
      await refusal('POST', '/backends', { name: 'app' }),
      /^409 name: a backend app already exists/,
    )
    assert.match(
      await refusal('DELETE', '/backends/app'),
      /^409 name: the backend app is used by frontend web \(default_backend\)/,
    )
    assert.match(await refusal('DELETE', '/backends/nope'), /^404 name: there is no backend nope/)
    assert.match(await refusal('POST', '/backends/app/servers', { name: 'a', address: '192.0.2.5' }), /^409 /)
    assert.match(await refusal('DELETE', '/backends/app/servers/nope'), /^404 /)
    for (const name of ['', 'a b', 'a#b', "a'b", '-a', 'a\nbackend b', 'ä', '.', '..', undefined])
      assert.match(await refusal('POST', '/backends', { name }), /^400 name: /)
    for (const address of [
      '192.0.2.1:80',
      '-x',
      'a b',
      'unix@/run/x',
      '/run/x',
      '192.0.2.1 backup',
      '[::1',
      '::1]',
      '',
    ])
      assert.match(await refusal('POST', '/backends/app/servers', { name: 'x', address }), /^400 address: /)
    assert.match(
      await refusal('POST', '/backends/app/servers', { name: 'x', address: '192.0.2.1', port: 65_536 }),
      /^400 port: /,
    )
    assert.equal(live(), config)
    assert.deepEqual(checked, [])
  })

  test('reports a refusal of HAProxy in its own message, and restores everything', async () => {
    assert.match(
      await refusal('POST', '/backends', { name: 'x', balance: 'nonsense' }),
      /^500 \[ALERT\] config : parsing \[.*\/etc\/haproxy\/haproxy\.cfg:9\] : unknown keyword 'nonsense'/,
    )
    assert.equal(live(), config)
    assert.deepEqual(
      readdirSync(`${panel.root}/etc/haproxy`).filter((name) => name !== 'certs'),
      ['haproxy.cfg'],
    )
  })

  test('shows the plan of a change as a diff without making it', async () => {
    const { status, data } = await ask('POST', '/backends?plan=1', { name: 'later' })
    assert.equal(status, 200)
    assert.match(data.steps[0].files[0].diff, /^\+backend later$/m)
    assert.equal(live(), config)
  })

  test('includes the refusal of HAProxy in a plan, and shows no password in it', async () => {
    const refused = await ask('POST', '/backends?plan=1', { name: 'x', balance: 'nonsense' })
    assert.match(refused.data.steps[0].refused, /haproxy\.cfg:9\] : unknown keyword 'nonsense'/)
    const accepted = await panel.request('POST', '/api/lbproxy/config?plan=1', {
      as: panel.admin,
      body: { content: `# first\n${config}` },
    })
    assert.deepEqual([accepted.status, accepted.data.steps[0].refused], [200, undefined])
    const edited = await panel.request('POST', '/api/lbproxy/config?plan=1', {
      as: panel.admin,
      body: { content: config.replace('userlist ops\n', 'userlist ops\n  # edited\n') },
    })
    assert.match(edited.data.steps[0].files[0].diff, /\+ {2}# edited\n {3}user ann insecure-password •+/)
    assert.doesNotMatch(edited.text, /s3cret/)
    assert.equal(live(), config)
  })

  test('adds, changes and removes a frontend', async () => {
    const draft = {
      name: 'two',
      binds: [{ port: 8081 }],
      default_backend: 'app',
      maxconn: 50,
      acls: [{ name: 'api', criterion: 'path_beg /api' }],
      rules: [{ backend: 'spare', condition: 'if api' }],
      timeouts: [{ name: 'client', value: '9s' }],
    }
    const added = await ask('POST', '/frontends', draft)
    assert.equal(added.status, 201)
    assert.match(
      live(),
      /frontend two\n {4}bind \*:8081\n {4}mode http\n {4}maxconn 50\n {4}timeout client 9s\n {4}acl api path_beg \/api\n {4}use_backend spare if api\n {4}default_backend app\n$/,
    )
    const changed = await ask('PUT', '/frontends/two', {
      default_backend: null,
      redirects: ['scheme https code 301 unless { ssl_fc }'],
    })
    assert.deepEqual(
      [changed.status, changed.data.default_backend, changed.data.redirects],
      [200, null, ['scheme https code 301 unless { ssl_fc }']],
    )
    assert.equal((await ask('DELETE', '/frontends/two')).status, 200)
    assert.equal(live(), config)
    assert.match(await refusal('PUT', '/frontends/nope', { maxconn: 5 }), /^404 /)
    assert.match(
      await refusal('PUT', '/frontends/web', { acls: [{ name: 'x', criterion: 'path "/a' }] }),
      /^400 acls: .*quote is not closed/,
    )
    assert.match(
      await refusal('PUT', '/frontends/web', { acls: [{ name: 'x', criterion: 'src -f /etc/shadow' }] }),
      /^403 /,
    )
    assert.match(
      await refusal('PUT', '/frontends/web', {
        binds: [{ port: 443, ssl: true, certificates: ['no.example.com'] }],
      }),
      /^404 binds\.certificates: /,
    )
  })

  test('returns the configuration with its passwords hidden, and keeps them when it is written back', async () => {
    assert.match(await refusal('GET', '/config?reveal=1'), /^403 reveal: /)
    const { data, headers } = await ask('GET', '/config')
    assert.doesNotMatch(data.content, /s3cret/)
    assert.match((await ask('GET', '/config?reveal=1', undefined, panel.admin)).data.content, /s3cret/)
    const entry = (await panel.request('GET', '/api/activity?per_page=1', { as: panel.admin })).data.items[0]
    assert.deepEqual(
      [entry.action, entry.status, entry.user_id],
      ['lbproxy_read_config', 'ok', panel.admin.id],
    )
    const content = data.content.replace('leastconn', 'first')
    const written = await panel.request('POST', '/api/lbproxy/config', {
      as: keeper,
      body: { content },
      headers: { 'if-match': String(headers['etag']) },
    })
    assert.equal(written.status, 200, written.text)
    assert.equal(live(), config.replace('leastconn', 'first'))
    const stale = await panel.request('POST', '/api/lbproxy/config', {
      as: keeper,
      body: { content },
      headers: { 'if-match': String(headers['etag']) },
    })
    assert.equal(stale.status, 409)
    const { data: activity } = await panel.request('GET', '/api/activity', { as: panel.admin })
    assert.doesNotMatch(JSON.stringify(activity), /s3cret/)
  })

  test('lets only a superuser write statements that would amount to root', async () => {
    const gains = [
      'global\n  lua-load /tmp/x.lua\n',
      'backend app\n  option external-check\n',
      'backend app\n  errorfile 503 /etc/shadow\n',
      'program x\n  command /bin/sh\n',
      'frontend f\n  http-request return file /etc/shadow\n',
      'backend app\n  server s unix@/run/docker.sock\n',
      'backend app\n  http-request use-service lua.x\n',
    ]
    for (const gain of gains)
      assert.match(
        await refusal('POST', '/config', { content: config + gain }),
        /^403 Only a superuser may change this/,
        gain,
      )
    assert.match(
      await refusal('POST', '/config', { content: config.replace('  user haproxy\n', '') }),
      /^403 /,
    )
    assert.equal(live(), config)
    assert.equal((await ask('POST', '/config', { content: config + gains[2] }, panel.admin)).status, 200)
    assert.equal(
      (await ask('POST', '/config', { content: live().replace('leastconn', 'source') })).status,
      200,
    )
  })

  test('refuses an oversized body, and a configuration that HAProxy rejects', async () => {
    assert.match(await refusal('POST', '/config', { content: 'x'.repeat(7 * 1024 * 1024) }), /^413 /)
    assert.match(await refusal('POST', '/config', { content: `${config}# nonsense\n` }), /^500 .*nonsense/)
    assert.equal(live(), config)
  })

  test('makes, lists, restores and removes backups', async () => {
    const made = await ask('POST', '/backups')
    assert.equal(made.status, 201)
    await ask('POST', '/backends', { name: 'after' })
    const restored = await ask('POST', `/backups/${made.data.name}/restore`)
    assert.equal(restored.status, 200, restored.text)
    assert.equal(live(), config)
    const { data } = await ask('GET', '/backups')
    assert.match(data[0].name, /^pre-restore-/)
    assert.deepEqual(data[1], { name: made.data.name, size: Buffer.byteLength(config), date: made.data.date })
    for (const { name } of data) assert.equal((await ask('DELETE', `/backups/${name}`)).status, 200)
    assert.deepEqual((await ask('GET', '/backups')).data, [])
    assert.match(await refusal('DELETE', `/backups/${made.data.name}`), /^500 name: there is no backup/)
    assert.match(await refusal('POST', '/backups/..%2F..%2Fhaproxy.cfg/restore'), /^(500|404) /)
    assert.match(await refusal('POST', '/backups/nope/restore'), /^500 /)
  })

  test('keeps the last twenty configurations that a restore replaced, and the restored backup', async () => {
    const made = await ask('POST', '/backups')
    const folder = `${panel.root}/var/lib/hostreeve-haproxy/backups`
    const old = Array.from(
      { length: 24 },
      (_, index) => `pre-restore-202601${String(index + 1).padStart(2, '0')}T000000000Z.cfg`,
    )
    for (const name of old) writeFileSync(`${folder}/${name}`, config)
    assert.equal((await ask('POST', `/backups/${old[0]}/restore`)).status, 200)
    const kept = readdirSync(folder).filter((name) => name.startsWith('pre-restore-'))
    assert.deepEqual(kept.toSorted().slice(0, 2), [old[0], old[5]])
    assert.equal(kept.length, 21)
    assert.ok(readdirSync(folder).includes(made.data.name))
    for (const name of [...kept, made.data.name]) await ask('DELETE', `/backups/${name}`)
  })

  test('makes automatic backups, and keeps the configured number and the newest one', async () => {
    const { haproxy } = panel.tools
    const make = (time: string) => {
      const decide = () => backUp({ haproxy }, { keep: 2, now: new Date(time) })
      return panel.executor.execute(orderOf(decide))
    }
    // the second one was named by a clock that was ahead
    for (const time of ['2026-01-01T01:00:00Z', '2027-01-01T01:00:00Z', '2026-01-01T02:00:00Z'])
      await make(time)
    assert.deepEqual(
      (await ask('GET', '/backups')).data.map(({ date }: any) => date),
      ['2027-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z'],
    )
  })

  test('stores the schedule of automatic backups, and shows it', async () => {
    const shown = async () => (await ask('GET', '/status')).data.auto_backup
    assert.deepEqual(await shown(), { enabled: false, every: 'day', keep: 14 })
    for (const wanted of [
      { enabled: true, every: 'hour', keep: 2 },
      { enabled: false, every: 'week', keep: 3 },
    ]) {
      const { status, data } = await ask('POST', '/backups/auto', wanted)
      assert.deepEqual([status, data, await shown()], [200, wanted, wanted])
    }
    assert.match(await refusal('POST', '/backups/auto', { keep: 0 }), /^400 keep: /)
  })

  test('creates, lists, uses and removes a certificate, whose key only root may read', async () => {
    const made = await ask('POST', '/certificates', { domain: 'www.example.com', self_signed: true })
    assert.deepEqual(
      [made.status, made.data.names, made.data.self_signed, made.data.expired],
      [201, ['www.example.com'], true, false],
    )
    assert.doesNotMatch(made.text, /PRIVATE KEY/)
    const file = `${panel.root}/etc/haproxy/certs/www.example.com.pem`
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const used = await ask('PUT', '/frontends/web', {
      binds: [{ port: 443, ssl: true, certificates: ['www.example.com'], alpn: 'h2,http/1.1' }],
    })
    assert.equal(used.status, 200, used.text)
    assert.match(
      live(),
      /bind \*:443 ssl crt \/etc\/haproxy\/certs\/www\.example\.com\.pem alpn h2,http\/1\.1/,
    )
    assert.deepEqual((await ask('GET', '/certificates')).data[0].used_by, ['frontend web (bind)'])
    const longest = `${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(63)}`
    assert.match(await refusal('DELETE', `/certificates/${longest}`), /^404 .*there is no certificate/)
    assert.match(await refusal('DELETE', `/certificates/${'a'.repeat(300)}`), /^400 domain: /)
    assert.match(await refusal('DELETE', '/certificates/www.example.com'), /^409 .*frontend web/)
    const pem = readFileSync(file, 'utf8')
    const certificate = pem.slice(0, pem.indexOf('-----BEGIN PRIVATE'))
    const key = pem.slice(pem.indexOf('-----BEGIN PRIVATE'))
    writeFileSync(path, config)
    assert.equal((await ask('DELETE', '/certificates/www.example.com')).status, 200)
    assert.match(
      await refusal('POST', '/certificates', { domain: 'www.example.com', certificate, key: key + key }),
      /^400 key: the PEM must contain one private key, not 2/,
    )
    assert.match(
      await refusal('POST', '/certificates', { domain: 'www.example.com', certificate }),
      /^400 key: /,
    )
    assert.match(
      await refusal('POST', '/certificates', { domain: 'other.example.com', certificate, key }),
      /^400 domain: the certificate is for www\.example\.com/,
    )
    assert.match(
      await refusal('POST', '/certificates', { domain: 'www.example.com', certificate: 'x', key }),
      /^400 certificate: /,
    )
    assert.equal(
      (await ask('POST', '/certificates', { domain: 'www.example.com', certificate, key })).status,
      201,
    )
  })

  test('reports that HAProxy is installed but not running, and returns no statistics', async () => {
    const { data } = await ask('GET', '/status')
    assert.deepEqual(
      [data.installed, data.running, data.version, data.processes],
      [true, false, '2.6.12-1+deb12u4', []],
    )
    assert.deepEqual((await ask('GET', '/stats')).data, { available: false, rows: [] })
    assert.match(await refusal('POST', '/reload'), /^500 HAProxy does not run/)
  })

  test('installs through a job', { skip: !isRoot && 'only root installs programs' }, async () => {
    const { status, data } = await ask('POST', '/install')
    assert.equal(status, 202)
    assert.equal(typeof data.job_id, 'number')
  })

  test('is removed through a job, which keeps its configuration', async () => {
    packages.set('haproxy', '2.6.12')
    const [planned] = (await ask('POST', '/uninstall?plan=1')).data.steps
    assert.deepEqual(
      [planned.title, planned.irreversible],
      ['Remove haproxy', 'the packages must be installed again'],
    )
    const { status, data } = await ask('POST', '/uninstall')
    assert.equal(status, 202)
    await panel.start()
    const { text } = await panel.request('GET', `/api/jobs/${data.job_id}/events`, { as: panel.admin })
    assert.match(text, /Removing haproxy[\s\S]*"state":"succeeded"/)
    const { items } = (await panel.request('GET', '/api/activity', { as: panel.admin })).data
    assert.deepEqual([items[0].status, items[0].path], ['ok', '/api/lbproxy/uninstall'])
    assert.equal(packages.size, 0)
    assert.equal(live(), config)
  })

  test('backs up at its time in the name of the user who set the schedule', async () => {
    const other = await panel.person({ isAdmin: true })
    const { status } = await panel.request('POST', '/api/lbproxy/backups/auto', {
      as: other,
      body: { enabled: true, every: 'day', keep: 5 },
    })
    assert.equal(status, 200)
    const past = { next_run: '2026-01-01T00:00:00.000Z' }
    const rows = panel.store.db.updateTable('schedules').set(past).where('name', '=', 'lbproxy.auto-backup')
    await rows.execute()
    await panel.start()
    const made = () => panel.request('GET', '/api/activity?action=lbproxy_auto_backup', { as: panel.admin })
    const [entry] = await until(async () => {
      const { items } = (await made()).data
      return items.length > 0 && items
    })
    assert.deepEqual([entry.user_id, entry.status], [other.id, 'ok'])
    assert.match((await ask('GET', '/backups')).data[0].name, /^auto-/)
  })

  test('requires the permission', async () => {
    const other = await panel.person({ permissions: ['websites_management'] })
    for (const [method, at] of [
      ['GET', '/backends'],
      ['POST', '/config'],
      ['DELETE', '/backups/x'],
      ['POST', '/uninstall'],
    ] as const)
      assert.equal((await ask(method, at, undefined, other)).status, 403)
  })
})
