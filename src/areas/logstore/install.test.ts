import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type LogPanel, openLogPanel } from './testing/panel.ts'

describe('the log store', () => {
  let at: LogPanel
  beforeEach(async () => void (at = await openLogPanel({ isInstalled: false })))
  afterEach(() => at.close())

  const ask = (method: string, path: string) =>
    at.panel.request(method, `/api/logstore${path}`, { as: at.panel.admin })
  const textOf = (path: string) => readFileSync(`${at.panel.root}${path}`, 'utf8')
  const has = (path: string) => existsSync(`${at.panel.root}${path}`)
  const source = '/etc/apt/sources.list.d/opensearch.list'

  test('is installed from the repository of its vendor, as a single node on loopback', async () => {
    assert.equal((await ask('GET', '/status')).data.installed, false)
    const { status, error } = await ask('POST', '/install')
    assert.equal(status, 200, error?.message)
    assert.match(
      textOf(source),
      /^deb \[signed-by=\/etc\/apt\/keyrings\/opensearch\.asc\] http.*2\.x\/apt stable main$/m,
    )
    assert.match(textOf('/etc/opensearch/opensearch.yml'), /^network\.host: 127\.0\.0\.1$/m)
    assert.doesNotMatch(textOf('/etc/opensearch/opensearch.yml'), /security/)
    assert.match(textOf('/etc/opensearch/jvm.options.d/hostreeve.options'), /^-Xms\d{3,4}m$/m)
    assert.deepEqual([...at.opensearch.templates.keys()], ['hostreeve-defaults', 'hostreeve-logs'])
    const { data } = await ask('GET', '/status')
    assert.deepEqual([data.installed, data.running, data.answering, data.reason], [true, true, true, null])
    const again = await ask('POST', '/install')
    assert.deepEqual([again.status, again.error?.code], [400, 'already_installed'])
  })

  test('is not installed with a key that is none, and leaves nothing', async () => {
    at.vendor.key = '<html>'
    const { status, error } = await ask('POST', '/install')
    assert.deepEqual([status, error?.code], [500, 'install_failed'])
    assert.match(error?.message ?? '', /must be an armoured OpenPGP key/)
    assert.deepEqual([has(source), at.packages.size], [false, 0])
  })

  test('is installed with rsyslog running, though that was stopped', async () => {
    at.services.set('rsyslog', { isActive: false, isEnabled: false })
    assert.equal((await ask('POST', '/install')).status, 200)
    assert.deepEqual(at.services.get('rsyslog'), { isActive: true, isEnabled: true })
  })

  test('that does not start is start_failed, and leaves nothing', async () => {
    at.broken.add('opensearch')
    const { status, error } = await ask('POST', '/install')
    assert.deepEqual([status, error?.code], [500, 'start_failed'])
    assert.deepEqual([has(source), at.packages.has('opensearch')], [false, false])
  })

  test('is removed with the sources in rsyslog, which stay in the panel', async () => {
    await ask('POST', '/install')
    const { data } = await at.panel.request('POST', '/api/logstore/sources', {
      as: at.panel.admin,
      body: { name: 'network' },
    })
    await ask('POST', `/sources/${data.id}/apply`)
    assert.ok(has('/etc/rsyslog.d/20-hostreeve.conf'))
    const { status, error } = await ask('POST', '/uninstall')
    assert.equal(status, 200, error?.message)
    assert.deepEqual([has('/etc/rsyslog.d/20-hostreeve.conf'), has(source)], [false, false])
    assert.equal(at.packages.has('opensearch'), false)
    assert.equal((await ask('GET', '/sources')).data[0].state, 'not_applied')
    const again = await ask('POST', '/uninstall')
    assert.deepEqual([again.status, again.error?.code], [400, 'bad_request'])
    const unapplied = await ask('POST', `/sources/${data.id}/apply`)
    assert.match(unapplied.error?.message ?? '', /not installed/)
  })

  test('that apt does not remove is remove_failed, and keeps its sources', async () => {
    await ask('POST', '/install')
    const { data } = await at.panel.request('POST', '/api/logstore/sources', {
      as: at.panel.admin,
      body: { name: 'network' },
    })
    await ask('POST', `/sources/${data.id}/apply`)
    at.broken.add('apt')
    const { status, error } = await ask('POST', '/uninstall')
    assert.deepEqual([status, error?.code], [500, 'remove_failed'])
    assert.match(error?.message ?? '', /dpkg is stuck/)
    assert.equal((await ask('GET', '/sources')).data[0].state, 'applied')
  })
})
