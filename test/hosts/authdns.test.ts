import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'

describe('authoritative DNS', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('authdns', { image: 'powerdns' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const ask = (method: string, path = '', body?: unknown) => admin.ask(method, `/api/authdns${path}`, body)
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, message } = await ask(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${message}`)
    return data
  }
  const dig = async (name: string, type: string) => {
    const { stdout } = await host.exec(['dig', '+short', '+tries=2', '@127.0.0.1', name, type])
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  }

  it('is refused while MariaDB does not run, and leaves nothing', async () => {
    await host.exec(['systemctl', 'stop', 'mariadb'])
    const { status, code } = await ask('POST', '/install')
    assert.deepEqual([status, code], [400, 'sql_required'])
    assert.deepEqual((await ask('GET', '/config')).data, { installed: false })
    await host.exec(['systemctl', 'start', 'mariadb'])
  })

  it('installs PowerDNS once, enabled and answering', async () => {
    const installed = await must('POST', '/install')
    assert.match(installed.api_key, /^[\w-]{32}$/)
    assert.equal(installed.db_name, 'powerdns')
    const status = await must('GET', '/status')
    assert.deepEqual(
      [status.installed, status.running, status.answering, status.reason],
      [true, true, true, null],
    )
    const { stdout } = await host.exec(['systemctl', 'is-enabled', 'pdns'])
    assert.equal(stdout.trim(), 'enabled')
    const config = await must('GET', '/config')
    assert.equal(config.api_key, `${installed.api_key.slice(0, 4)}••••••••${installed.api_key.slice(-4)}`)
    const again = await ask('POST', '/install')
    assert.deepEqual([again.status, again.code], [400, 'already_installed'])
    assert.ok(existsSync(join(host.rootPath, '/etc/powerdns/pdns.d/hostreeve.conf')))
  })

  it('serves a new zone at once', async () => {
    await must('POST', '/zones', {
      name: 'example.com',
      rrsets: [{ name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.10' }] }],
    })
    assert.deepEqual(await dig('www.example.com', 'A'), ['192.0.2.10'])
    assert.equal((await must('GET', '/stats')).zones, 1)
  })

  it('sets the port and the key of the API', async () => {
    const key = 'another-key-of-the-api'
    await must('POST', '/config', { api_url: 'http://127.0.0.1:8099', api_key: key })
    assert.equal((await must('GET', '/config')).api_url, 'http://127.0.0.1:8099')
    assert.equal((await must('GET', '/zones')).length, 1)
    assert.deepEqual(await dig('www.example.com', 'A'), ['192.0.2.10'])
  })

  it('removes a zone, and is asked no more', async () => {
    await must('DELETE', '/zones/example.com')
    assert.deepEqual(await dig('www.example.com', 'A'), [])
  })
})
