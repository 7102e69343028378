import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

const secret = 'correct horse battery'

describe('settings of the panel', () => {
  let panel: TestPanel
  let file: string
  before(async () => {
    panel = await openTestPanel({
      environment: { HOSTREEVE_PORT: '7171', HOSTREEVE_TELEMETRY_SECRET: secret },
    })
    await panel.start()
    file = `${panel.root}/var/lib/config.toml`
  })
  after(() => panel.close())
  beforeEach(() => rmSync(file, { force: true }))

  const read = (as: Person | undefined = panel.admin) =>
    panel.request('GET', '/api/settings/panel', { ...(as && { as }) })
  const edit = (body: unknown, query = '', as = panel.admin) =>
    panel.request('PATCH', `/api/settings/panel${query}`, { as, body })
  const named = (data: any, name: string) => data.settings.find((each: any) => each.name === name)
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
  const content = () => readFileSync(file, 'utf8')

  test('lists every setting with value and source; of secrets only whether they are set', async () => {
    write('tls = "on"\nhistory_mib = 12\nmetrics_token = "hunter2 hunter2"\n')
    const { status, data, text } = await read()
    assert.equal(status, 200)
    assert.equal(data.file, '/var/lib/config.toml')
    const shown = (name: string) => {
      const { value, source, kind, set, read_only } = named(data, name)
      return [value, source, kind, set, read_only]
    }
    assert.deepEqual(shown('host'), ['127.0.0.1', 'default', 'text', true, false])
    assert.deepEqual(shown('port'), [7171, 'environment', 'number', true, true])
    assert.deepEqual(shown('tls'), ['on', 'config.toml', 'choice', true, false])
    assert.deepEqual(shown('history_mib'), [12, 'config.toml', 'number', true, false])
    assert.deepEqual(shown('metrics_token'), [null, 'config.toml', 'secret', true, false])
    assert.deepEqual(shown('admin_password'), [null, 'default', 'secret', false, false])
    assert.deepEqual(data.restart_needed, ['tls', 'history_mib', 'metrics_token'])
    assert.doesNotMatch(text, /hunter2|correct horse/)
  })

  test('writes a new file that only the panel can read, and names what a restart activates', async () => {
    const { status, data } = await edit({
      log_level: 'debug',
      history_days: 30,
      admin_email: 'ada@example.com',
    })
    assert.equal(status, 200)
    assert.equal(content(), 'admin_email = "ada@example.com"\nhistory_days = 30\nlog_level = "debug"\n')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(data.restart_needed, ['history_days', 'log_level'])
    assert.deepEqual((await read()).data, data)
  })

  test('keeps every other byte, the mode and a value that is already wanted', async () => {
    write('# mine\r\nhistory_days = "90" # text\r\ntls = "on" # always\r\n\r\n[limits]\r\nsites = 3')
    chmodSync(file, 0o640)
    await edit({ tls: 'off', history_days: 90 })
    assert.equal(
      content(),
      '# mine\r\nhistory_days = "90" # text\r\ntls = "off" # always\r\n\r\n[limits]\r\nsites = 3',
    )
    assert.equal(statSync(file).mode & 0o777, 0o640)
  })

  test('resets a setting to its default', async () => {
    write('tls = "on"\nlog_level = "warn"\n')
    const { data } = await edit({ tls: null, host: null })
    assert.equal(content(), 'log_level = "warn"\n')
    assert.deepEqual([named(data, 'tls').value, named(data, 'tls').source], ['auto', 'default'])
  })

  test('changes nothing where all values are as wanted', async () => {
    const { status } = await edit({ tls: null })
    assert.deepEqual([status, existsSync(file)], [200, false])
  })

  test('shows the plan with the diff and writes nothing', async () => {
    write('tls = "on"\n')
    const { status, data } = await edit({ tls: 'off' }, '?plan=1')
    assert.deepEqual([status, data.is_reversible, data.steps.length], [200, true, 1])
    assert.match(data.steps[0].files[0].diff, /-tls = "on"\n\+tls = "off"/)
    assert.match(data.steps[0].details[0], /restarted/)
    assert.equal(content(), 'tls = "on"\n')
  })

  test('shows no secret in plan, reply, activity or a refusal', async () => {
    write(
      '# metrics_token = "hunter2 old"\nmetrics_token = "hunter2 now"\ntls = "on"\n[peer]\ntoken = "hunter2 peer"\n',
    )
    const body = { metrics_token: 'hunter2 next', admin_password: 'hunter2 first' }
    const plan = await edit(body, '?plan=1')
    assert.match(
      plan.data.steps[0].files[0].diff,
      /-metrics_token = "••••••••"\n\+metrics_token = "•••••••• \(new\)"/,
    )
    const done = await edit(body)
    assert.match(
      content(),
      /^metrics_token = "hunter2 next"\nadmin_password|admin_password = "hunter2 first"/m,
    )
    const activity = await panel.request('GET', '/api/activity', { as: panel.admin })
    const entry = await panel.request('GET', `/api/activity/${activity.data.items[0].id}`, {
      as: panel.admin,
    })
    write('metrics_token = hunter2\n')
    const refused = await edit({ tls: 'off' })
    for (const { text } of [plan, done, activity, entry, refused]) assert.doesNotMatch(text, /hunter2/)
  })

  test('keeps a secret that comes back masked', async () => {
    write('metrics_token = "hunter2 now"\n')
    await edit({ metrics_token: '••••••••', tls: 'on' })
    assert.equal(content(), 'metrics_token = "hunter2 now"\ntls = "on"\n')
  })

  test('undoes a change by its entry, beside what was edited since, and not what is edited by hand', async () => {
    write('tls = "on" # always\n')
    const undo = (id: unknown) => panel.request('POST', `/api/activity/${id}/undo`, { as: panel.admin })
    const first = (await edit({ tls: 'off' })).headers['x-undo-id']
    write(`${content()}log_level = "warn"\n`)
    const { status, text } = await undo(first)
    assert.equal(status, 200, text)
    assert.equal(content(), 'tls = "on" # always\nlog_level = "warn"\n')
    const second = (await edit({ tls: 'off' })).headers['x-undo-id']
    write('tls = "auto"\n')
    assert.equal((await undo(second)).status, 409)
    assert.equal(content(), 'tls = "auto"\n')
  })

  test('refuses a setting that the environment sets: set_by_environment', async () => {
    const { status, error } = await edit({ port: 8080, tls: 'off' })
    assert.deepEqual([status, error.code], [409, 'set_by_environment'])
    assert.match(error.message, /^port: the environment sets it by HOSTREEVE_PORT/)
    assert.equal((await edit({ telemetry_secret: null })).status, 409)
    assert.equal(existsSync(file), false)
  })

  test('refuses a value with which the panel cannot start: bad_request', async () => {
    for (const [body, message] of [
      [{ telemetry_allow: '10.0.0.0/8, here' }, /^telemetry_allow: here is not an address/],
      [{ license_url: 'licences.example.com' }, /^license_url: must be a URL/],
      [{ license_url: 'file:///etc/passwd' }, /^license_url: must be a URL/],
      [{ license_public_key: 'AAAA' }, /^license_public_key: must be 32 bytes/],
      [{ partner_api_url: 'partner.example.com' }, /^partner_api_url: must be a URL/],
      [{ outbound_allow: '10.0.0.0/8, here' }, /^outbound_allow: here is not an address/],
      [{ trusted_proxies: 'loopback,nowhere' }, /^trusted_proxies: nowhere is not an address/],
      [
        { trusted_proxies: '10.0.0.7, 0.0.0.0/0' },
        /^trusted_proxies: must name the proxies, .*: 0\.0\.0\.0\/0/,
      ],
      [{ trusted_proxies: '::/0' }, /^trusted_proxies: must name the proxies/],
      [{ trusted_proxies: '::ffff:0:0/96' }, /^trusted_proxies: must name the proxies/],
      [{ host: '192.0.2.1' }, /^host: 192\.0\.2\.1 is no address of this host/],
      [{ firewall_confirm_seconds: 0 }, /^firewall_confirm_seconds: must be a whole number from 10 to 3600/],
      [{ host: 'a host' }, /^host: must be an address or a host name, not a host/],
      [
        { database_url: 'mysql://x/panel' },
        /^database_url: must be like postgres:\/\/.* or empty for SQLite$/,
      ],
      [
        { database_url: 'postgres://ada@db.example.com/panel' },
        /^database_url: must end with \?sslmode=verify-full for a server on another host/,
      ],
      [{ database_url: 'postgres://x' }, /^database_url: must be like .*: it names no database$/],
      [{ tls: 'maybe' }, /^tls: must be one of auto, on, off/],
      [{ history_file_mib: 65 }, /^history_file_mib: must be a whole number from 0 to 64/],
      [{ acme_directory: '' }, /^acme_directory: must be text of 1 to 2000 characters/],
      [{ acme_directory: 'a\nport = 1' }, /^acme_directory: must be text/],
      [{ log_level: 7 }, /^log_level: must be/],
    ] as const) {
      const { status, error } = await edit(body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(error.message, message)
    }
    assert.equal(existsSync(file), false)
  })

  test('refuses a file that is not TOML, is a link, or has a table of that name: config_invalid', async () => {
    for (const [text, message] of [
      ['tls = "on"\ntls = "off"\n', /^\/var\/lib\/config\.toml: line 2, column/],
      ['[tls]\nx = 1\n', /tls: must be one value, not a table/],
    ] as const) {
      write(text)
      const { status, error } = await edit({ tls: 'on' })
      assert.deepEqual([status, error.code], [409, 'config_invalid'])
      assert.match(error.message, message)
      assert.equal(content(), text)
    }
    write('tls = \n')
    assert.deepEqual((await read()).error.code, 'config_invalid')
    rmSync(file)
    symlinkSync('/etc/hostname', file)
    assert.match((await edit({ tls: 'on' })).error.message, /is not a plain file/)
  })

  test('reads max_websites from [limits] too, which a form does not edit: config_invalid', async () => {
    const text = 'tls = "on"\n[limits]\nmax_websites = 3\n'
    write(text)
    const shown = named((await read()).data, 'max_websites')
    assert.deepEqual([shown.value, shown.source, shown.read_only], [3, 'config.toml', true])
    for (const max_websites of [4, null]) {
      const { status, error } = await edit({ max_websites })
      assert.deepEqual([status, error.code], [409, 'config_invalid'])
      assert.match(error.message, /^max_websites: is in the table \[limits\] of /)
    }
    assert.equal(content(), text)
    assert.equal((await edit({ tls: 'off' })).status, 200)
    write(`max_websites = 4\n${text}`)
    assert.match((await read()).error.message, /max_websites: is also in \[limits\]: keep one of both/)
    write('')
    assert.equal((await edit({ max_websites: 4 })).status, 200)
    assert.equal(content(), 'max_websites = 4\n')
    assert.equal(named((await edit({ max_websites: null })).data, 'max_websites').value, null)
  })

  test('is for superusers', async () => {
    const other = await panel.person({ permissions: ['plugins_management', 'websites_management'] })
    assert.equal((await panel.request('GET', '/api/settings/panel')).status, 401)
    assert.equal((await read(other)).status, 403)
    assert.equal((await edit({ tls: 'on' }, '', other)).status, 403)
  })
})
