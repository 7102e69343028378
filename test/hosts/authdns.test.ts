import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { poll } from '../../src/core/poll.ts'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { holdPort } from './story/port-holder.ts'
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

  it('leaves nothing where the database of another PowerDNS exists', async () => {
    await host.must(['mariadb', '-e', 'create database powerdns'])
    const { status, code, message } = await ask('POST', '/install')
    assert.deepEqual([status, code], [500, 'db_create_failed'], message)
    assert.deepEqual((await ask('GET', '/config')).data, { installed: false })
    await host.must(['mariadb', '-e', 'drop database powerdns'])
  })

  it('leaves nothing where PowerDNS cannot start', async () => {
    const path = join(host.rootPath, '/etc/powerdns/pdns.d/zz-broken.conf')
    await writeFile(path, 'launch=nothing-of-the-kind\n')
    const { status, code, message } = await ask('POST', '/install')
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    assert.deepEqual((await ask('GET', '/config')).data, { installed: false })
    const { stdout } = await host.must(['mariadb', '-Ne', "show databases like 'powerdns'"])
    assert.equal(stdout, '')
    await rm(path)
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

  it('restores the configuration with which PowerDNS served if it does not start with a new one', async () => {
    const { api_url: before } = await must('GET', '/config')
    const port = await holdPort(host, 8090, '127.0.0.1')
    const { status, code, message } = await ask('POST', '/config', { api_url: 'http://127.0.0.1:8090' })
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    await port()
    assert.equal((await must('GET', '/config')).api_url, before)
    assert.equal((await must('GET', '/zones')).length, 1)
  })

  it('changes records, as dig sees, and keeps them when PowerDNS is killed', async () => {
    const rrsets = [
      { name: 'www', type: 'A', ttl: 60, records: [{ content: '192.0.2.20' }, { content: '192.0.2.21' }] },
      { name: '@', type: 'MX', ttl: 60, records: [{ content: '10 mail.example.net.' }] },
    ]
    assert.equal((await must('PATCH', '/zones/example.com/records', { rrsets })).changed, 2)
    assert.deepEqual(await dig('www.example.com', 'A'), ['192.0.2.20', '192.0.2.21'])
    await host.must(['systemctl', 'kill', '--signal=KILL', 'pdns'])
    await poll(async () => (await must('GET', '/status')).answering || undefined, {
      limitMs: 60_000,
      everyMs: 200,
    })
    assert.deepEqual(await dig('example.com', 'MX'), ['10 mail.example.net.'])
  })

  it('takes many changes at the same time, one after another', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `many${at}`)
    const answers = await Promise.all(
      names.map((name) =>
        ask('POST', '/zones', {
          name: `${name}.example.com`,
          rrsets: [{ name: 'www', type: 'A', records: [{ content: '192.0.2.30' }] }],
        }),
      ),
    )
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201),
      [],
    )
    for (const name of names) assert.deepEqual(await dig(`www.${name}.example.com`, 'A'), ['192.0.2.30'])
  })

  it('imports and exports zone files', async () => {
    const bind_data = `$TTL 60\n@ NS ns1\nns1 A 192.0.2.1\n$GENERATE 1-100 host$ A 192.0.2.$\n`
    assert.equal((await must('POST', '/zones/example.org/import', { bind_data })).changed, 103)
    assert.deepEqual(await dig('host77.example.org', 'A'), ['192.0.2.77'])
    const exported = await must('POST', '/zones/example.org/export')
    await writeFile(join(host.rootPath, '/root/example.org'), exported.bind_data)
    await host.must(['named-checkzone', 'example.org', '/root/example.org'])
  })

  it('removes a zone, and is asked no more', async () => {
    await must('DELETE', '/zones/example.com')
    assert.deepEqual(await dig('www.example.com', 'A'), [])
  })

  it('follows the guide to DNS, as it stands there', async () => {
    await host.must(['systemctl', 'stop', 'pdns'])
    await rm(join(host.rootPath, '/etc/powerdns/pdns.d/hostreeve.conf'))
    await host.must(['mariadb', '-e', 'drop database powerdns'])
    await host.must(['mariadb', '-e', "drop user 'powerdns'@'localhost'"])
    const guide = await readFile(join(checkout, 'docs/guides/dns.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /^ns1\.example\.com\. hostmaster\.example\.com\. /m)
    assert.match(output, /^192\.0\.2\.10\n192\.0\.2\.11$|^192\.0\.2\.11\n192\.0\.2\.10$/m)
    assert.match(output, /^192\.0\.2\.20$/m)
    assert.match(output, /^192\.0\.2\.2$/m)
    assert.deepEqual(await dig('www.example.com', 'A'), ['192.0.2.11'])
  })
})
