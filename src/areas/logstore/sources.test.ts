import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { type LogPanel, openLogPanel } from './testing/panel.ts'

describe('sources of log lines', () => {
  let at: LogPanel
  before(async () => void (at = await openLogPanel({ isInstalled: true })))
  after(() => at.close())

  const ask = (method: string, path: string, body?: unknown) =>
    at.panel.request(method, `/api/logstore/sources${path}`, {
      as: at.panel.admin,
      ...(body !== undefined && { body }),
    })
  const add = async (draft: object) => {
    const { status, data, error } = await ask('POST', '', draft)
    assert.equal(status, 201, error?.message)
    return data
  }
  const pathOf = (id: number) => `${at.panel.root}/etc/rsyslog.d/30-hostreeve-source-${id}.conf`
  const shared = () => `${at.panel.root}/etc/rsyslog.d/20-hostreeve.conf`
  const stateOf = async (id: number) =>
    (await ask('GET', '')).data.find((each: { id: number }) => each.id === id)?.state

  test('are added with the defaults, and written for rsyslog when they are applied', async () => {
    const source = await add({ name: 'network' })
    const { type, protocol, port, enabled, state } = source
    assert.deepEqual([type, protocol, port, enabled, state], ['syslog', 'udp', 514, true, 'not_applied'])
    assert.equal(existsSync(pathOf(source.id)), false)
    const applied = await ask('POST', `/${source.id}/apply`)
    assert.deepEqual([applied.status, applied.data.state], [200, 'applied'])
    assert.match(readFileSync(pathOf(source.id), 'utf8'), /input\(type="imudp" port="514"/)
    assert.match(readFileSync(shared(), 'utf8'), /module\(load="imudp"\)/)
    assert.equal(at.rsyslog.starts, 1)
    assert.equal(await stateOf(source.id), 'applied')
  })

  test('keep what rsyslog has until an edit is applied', async () => {
    const source = await add({ name: 'edited', protocol: 'tcp', port: 6001 })
    await ask('POST', `/${source.id}/apply`)
    const edited = await ask('PUT', `/${source.id}`, { port: 6002, allowed_ips: '192.0.2.0/24' })
    assert.deepEqual([edited.data.port, edited.data.state], [6002, 'changed'])
    assert.match(readFileSync(pathOf(source.id), 'utf8'), /port="6001"/)
    await ask('POST', `/${source.id}/apply`)
    assert.match(readFileSync(pathOf(source.id), 'utf8'), /port="6002"/)
    assert.equal((await ask('PUT', '/99999', { port: 1 })).status, 404)
    assert.equal((await ask('POST', '/99999/apply')).error?.code, 'not_found')
  })

  test('are taken from rsyslog when they are disabled, and written again when enabled', async () => {
    const source = await add({ name: 'toggled', port: 6003 })
    await ask('POST', `/${source.id}/apply`)
    const off = await ask('POST', `/${source.id}/toggle`)
    assert.deepEqual([off.data.enabled, off.data.state], [false, 'not_applied'])
    assert.equal(existsSync(pathOf(source.id)), false)
    const refused = await ask('POST', `/${source.id}/apply`)
    assert.deepEqual([refused.status, refused.error?.code], [400, 'bad_request'])
    const on = await ask('POST', `/${source.id}/toggle`)
    assert.deepEqual([on.data.enabled, on.data.state], [true, 'applied'])
    assert.ok(existsSync(pathOf(source.id)))
    assert.equal((await ask('POST', '/99999/toggle')).status, 404)
  })

  test('are deleted with their file, and a second deletion is a no-op', async () => {
    const source = await add({ name: 'deleted', port: 6004 })
    await ask('POST', `/${source.id}/apply`)
    const starts = at.rsyslog.starts
    assert.equal((await ask('DELETE', `/${source.id}`)).status, 200)
    assert.equal(existsSync(pathOf(source.id)), false)
    assert.equal(at.rsyslog.starts, starts + 1)
    assert.equal((await ask('DELETE', `/${source.id}`)).status, 200)
    assert.equal(at.rsyslog.starts, starts + 1)
  })

  test('are refused with the field and what would be right', async () => {
    await add({ name: 'first', port: 6010, include_local: true })
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ name: '' }, /name/],
      [{ name: ' ' }, /name/],
      [{ name: 'first' }, /name: there is a source first/],
      [{ port: 70_000 }, /port/],
      [{ port: -1 }, /port/],
      [{ port: 6010 }, /port: the source first receives on 6010\/udp/],
      [{ protocol: 'sctp' }, /protocol/],
      [{ type: 'files' }, /type/],
      [{ include_local: true }, /include_local: the source first/],
      [{ type: 'local' }, /include_local: the source first/],
      [{ allowed_ips: '192.0.2.1, x' }, /allowed_ips: x is not an address/],
      [{ allowed_ips: '192.0.2.1/24' }, /allowed_ips: 192\.0\.2\.1\/24 has bits set/],
      [{ allowed_ips: '192.0.2.0/33' }, /allowed_ips: 192\.0\.2\.0\/33/],
      [{ allowed_ips: '2001:db8::/32' }, /allowed_ips: 2001:db8::\/32: .*IPv6 networks/],
      [{ replicate_to: 'a b' }, /replicate_to: a b/],
      [{ replicate_to: 'host:0' }, /replicate_to: host:0/],
      [{ replicate_to: '-x' }, /replicate_to: -x/],
      [{ replicate_to: '2001:db8::1' }, /replicate_to: 2001:db8::1/],
    ]
    for (const [draft, message] of cases) {
      const { status, error } = await ask('POST', '', { name: 'bad', port: 6011, ...draft })
      assert.deepEqual([status, error?.code], [400, 'bad_request'], JSON.stringify(draft))
      assert.match(error?.message ?? '', message)
    }
  })

  test('are not applied on a port of another program', async () => {
    at.rsyslog.held.add('tcp/6020')
    const source = await add({ name: 'held', protocol: 'tcp', port: 6020 })
    const { status, error } = await ask('POST', `/${source.id}/apply`)
    assert.deepEqual([status, error?.message], [400, 'port: 6020/tcp is in use by another program'])
    assert.equal(existsSync(pathOf(source.id)), false)
  })

  test('are not applied on a port that another source has until its edit is applied', async () => {
    const former = await add({ name: 'former', protocol: 'tcp', port: 6025 })
    await ask('POST', `/${former.id}/apply`)
    await ask('PUT', `/${former.id}`, { port: 6026 })
    const next = await add({ name: 'next', protocol: 'tcp', port: 6025 })
    const { status, error } = await ask('POST', `/${next.id}/apply`)
    assert.deepEqual([status, error?.code], [400, 'bad_request'])
    assert.match(error?.message ?? '', /^port: rsyslog receives on 6025\/tcp for the source former/)
    await ask('POST', `/${former.id}/apply`)
    assert.equal((await ask('POST', `/${next.id}/apply`)).status, 200)
  })

  test('receive over TLS with the certificate of the panel, also once that is replaced', async () => {
    const source = await add({ name: 'secure', protocol: 'tls', port: 6514 })
    const refusal = async () => (await ask('POST', `/${source.id}/apply`)).error?.message ?? ''
    const version = at.packages.get('rsyslog-gnutls') ?? ''
    at.packages.delete('rsyslog-gnutls')
    assert.match(await refusal(), /^protocol: tls needs the package rsyslog-gnutls/)
    at.packages.set('rsyslog-gnutls', version)
    assert.match(await refusal(), /^protocol: tls needs the certificate of the panel, .*panel\.crt/)
    mkdirSync(`${at.panel.root}/tls`)
    for (const name of ['panel.crt', 'panel.key']) writeFileSync(`${at.panel.root}/tls/${name}`, '')
    assert.equal((await ask('POST', `/${source.id}/apply`)).data.state, 'applied')
    const text = readFileSync(pathOf(source.id), 'utf8')
    assert.match(text, /input\(type="imtcp" port="6514"[^)]*streamdriver\.name="gtls"/)
    assert.match(
      text,
      /streamdriver\.certfile="[^"]*\/tls\/panel\.crt" streamdriver\.keyfile="[^"]*panel\.key"/,
    )
    assert.match(readFileSync(shared(), 'utf8'), /module\(load="imtcp"\)/)
    const rival = await ask('POST', '', { name: 'rival', protocol: 'tcp', port: 6514 })
    assert.match(rival.error?.message ?? '', /^port: the source secure receives on 6514/)

    const { starts } = at.rsyslog
    const tidied = async () => {
      const asked = { as: at.panel.admin }
      const { data } = await at.panel.request('POST', '/api/logstore/retention/apply', asked)
      await until(async () => {
        const job = await at.panel.request('GET', `/api/jobs/${data.job_id}`, asked)
        return job.data.finished_at !== null
      })
    }
    await tidied()
    assert.equal(at.rsyslog.starts, starts)
    const since = (await at.rsyslog.options.startedAt?.()) ?? 0
    const certificate = `${at.panel.root}/tls/panel.crt`
    await until(() => {
      writeFileSync(certificate, 'another')
      return statSync(certificate).mtimeMs > since
    })
    await tidied()
    assert.equal(at.rsyslog.starts, starts + 1)
    await ask('DELETE', `/${source.id}`)
  })

  test('that rsyslog rejects leave no file, and its message is the answer', async () => {
    const source = await add({ name: 'refuse-me', port: 6030 })
    const { status, error } = await ask('POST', `/${source.id}/apply`)
    assert.deepEqual([status, error?.code], [500, 'config_failed'])
    assert.match(error?.message ?? '', /error during parsing/)
    assert.equal(existsSync(pathOf(source.id)), false)
  })

  test('load no module that another file loads', async () => {
    writeFileSync(
      `${at.panel.root}/etc/rsyslog.conf`,
      '#module(load="imtcp")\nmodule(load="imudp")\n$ModLoad imtcp\n',
    )
    const source = await add({ name: 'modules', port: 6040 })
    await ask('POST', `/${source.id}/apply`)
    assert.deepEqual(readFileSync(shared(), 'utf8').match(/load="\w+"/g), [
      'load="omelasticsearch"',
      'load="mmutf8fix"',
    ])
  })

  test('keep a file that was edited by hand', async () => {
    const source = await add({ name: 'by hand', port: 6050 })
    await ask('POST', `/${source.id}/apply`)
    writeFileSync(pathOf(source.id), '# mine\n')
    const { status, error } = await ask('POST', `/${source.id}/apply`)
    assert.deepEqual([status, error?.code], [409, 'edited_by_hand'])
    assert.equal(await stateOf(source.id), 'changed')
  })

  test('show a failure of the store as db_error, and are for superusers alone', async () => {
    const keeper = await at.panel.person({ permissions: ['administrative_operations'] })
    const refused = await at.panel.request('GET', '/api/logstore/sources', { as: keeper })
    assert.equal(refused.status, 403)
    await at.panel.store.db.schema.alterTable('logstore_sources').renameTo('elsewhere').execute()
    const { status, error } = await ask('GET', '')
    assert.deepEqual([status, error?.code], [500, 'db_error'])
    await at.panel.store.db.schema.alterTable('elsewhere').renameTo('logstore_sources').execute()
  })
})
