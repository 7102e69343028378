import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  licenceFor,
  licencePublicKey,
  type LicenceServer,
  signed,
  startLicenceServer,
} from '../../../test/support/licence-server.ts'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { sampleQueries } from '../system/store.ts'

const secret = 'a-shared-secret-of-monitoring'
const loopback = { ip: '127.0.0.1' }
const withSecret = { headers: { 'x-telemetry-token': secret } }
const push = (license_key: unknown) => ({ ...withSecret, body: { license_key } })

describe('telemetry without a secret', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel()
  })
  after(() => panel.close())

  it('answers this host alone, and nobody for whom another one asks', async () => {
    for (const path of ['/api/telemetry/ping', '/api/telemetry/metrics']) {
      assert.equal((await panel.request('GET', path, loopback)).status, 200)
      assert.equal((await panel.request('GET', path, { ip: '::1' })).status, 200)
      const headers = { 'x-forwarded-for': '192.0.2.1' }
      for (const asked of [{}, { ...loopback, headers }, { as: panel.admin }]) {
        const { status, json } = await panel.request('GET', path, asked)
        assert.deepEqual([status, json], [403, { error: 'forbidden' }])
      }
    }
  })

  it('takes a licence from a superuser of this host alone', async () => {
    const path = '/api/telemetry/push-license'
    const body = { license_key: 'KEY' }
    const somebody = await panel.person()
    const cases = [
      [{ ...loopback }, 401, 'unauthorized'],
      [{ ...loopback, as: 'wrong' }, 401, 'unauthorized'],
      [{ ...loopback, as: somebody }, 403, 'forbidden'],
      [{ as: panel.admin }, 403, 'forbidden'],
    ] as const
    for (const [asked, status, error] of cases) {
      const answer = await panel.request('POST', path, { ...asked, body })
      assert.deepEqual([answer.status, answer.json], [status, { error }])
    }
    const refused = await panel.request('POST', path, { ...loopback, as: panel.admin, body })
    assert.deepEqual([refused.status, refused.error.code], [400, 'activation_failed'])
  })
})

describe('telemetry with a secret', () => {
  let panel: TestPanel
  before(async () => {
    const environment = { HOSTREEVE_TELEMETRY_SECRET: secret, HOSTREEVE_TELEMETRY_ALLOW: '192.0.2.0/24, ::1' }
    panel = await openTestPanel({ environment })
  })
  after(() => panel.close())

  it('tells that the panel runs to those on the list of addresses, with no licence if there is none', async () => {
    for (const ip of ['192.0.2.9', '::ffff:192.0.2.9', '::1']) {
      const { status, json } = await panel.request('GET', '/api/telemetry/ping', { ...withSecret, ip })
      assert.deepEqual([status, json], [200, { version: '0.0.0-test', status: 'running' }])
    }
    for (const ip of ['192.0.3.9', '127.0.0.1', '::2']) {
      const { status, json } = await panel.request('GET', '/api/telemetry/ping', { ...withSecret, ip })
      assert.deepEqual([status, json], [403, { error: 'forbidden' }])
    }
  })

  it('refuses every other token, also from this host and with a superuser', async () => {
    const tokens = ['', 'x', secret.slice(1), `${secret}x`, 'x'.repeat(9000)]
    for (const token of tokens)
      for (const [method, path] of [
        ['GET', 'ping'],
        ['GET', 'metrics'],
        ['POST', 'push-license'],
      ] as const) {
        const headers = { 'x-telemetry-token': token }
        const asked = { ...loopback, as: panel.admin, headers, ...(method === 'POST' && { body: {} }) }
        const { status, json } = await panel.request(method, `/api/telemetry/${path}`, asked)
        assert.deepEqual([status, json], [401, { error: 'unauthorized' }])
      }
  })

  it('limits wrong tokens of one address to 60 a minute', async () => {
    const asked = { ip: '198.51.100.7', headers: { 'x-telemetry-token': 'wrong' } }
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count++)
      statuses.add((await panel.request('GET', '/api/telemetry/metrics', asked)).status)
    assert.deepEqual([...statuses], [401, 429])
  })

  it('reads the samples of the last 30 minutes, from any address', async () => {
    const empty = await panel.request('GET', '/api/telemetry/metrics', withSecret)
    assert.deepEqual([empty.status, empty.json], [200, { metrics: [] }])
    const busy = await openTestPanel({ environment: { HOSTREEVE_TELEMETRY_SECRET: secret } })
    const now = Math.floor(Date.now() / 1000)
    const measured = { cpu: 12.5, mem_mb: 1, mem_total_mb: 2, disk_gb: 3, disk_total_gb: 4 }
    const rates = { disk_read: 5, disk_write: 6, net_rx: 7, net_tx: 8 }
    const sample = (ago: number) => ({ ts: now - ago, ...measured, ...rates })
    try {
      const samples = [3000, 1900, 1700, 10].map((ago) => ({ ...sample(ago), load: 0.5 }))
      await sampleQueries(busy.store).append(samples, 0)
      const { status, json } = await busy.request('GET', '/api/telemetry/metrics', withSecret)
      assert.deepEqual([status, json], [200, { metrics: [sample(1700), sample(10)] }])
    } finally {
      await busy.close()
    }
  })

  it('answers a broken store flat (db_error)', async () => {
    const broken = await openTestPanel({ environment: { HOSTREEVE_TELEMETRY_SECRET: secret } })
    try {
      await broken.store.db.schema.dropTable('metric_samples').execute()
      const { status, json } = await broken.request('GET', '/api/telemetry/metrics', withSecret)
      assert.equal(status, 500)
      assert.deepEqual(Object.keys(json), ['error'])
      assert.equal(typeof json.error, 'string')
    } finally {
      await broken.close()
    }
  })
})

describe('a pushed licence', () => {
  let panel: TestPanel
  let server: LicenceServer
  const stored = () => `${panel.root}/var/lib/license.json`
  const pushed = (key: unknown) => panel.request('POST', '/api/telemetry/push-license', push(key))
  const codeOf = async (key: unknown = 'KEY') => {
    const { status, error } = await pushed(key)
    return [status, error.code]
  }
  before(async () => {
    server = await startLicenceServer()
    panel = await openTestPanel({
      fetch: { connectMs: 3000, stallMs: 3000 },
      environment: {
        HOSTREEVE_DATA_DIR: '/var/lib',
        HOSTREEVE_TELEMETRY_SECRET: secret,
        HOSTREEVE_LICENSE_URL: server.url,
        HOSTREEVE_PUBLIC_IP_URL: server.url,
        HOSTREEVE_LICENSE_PUBLIC_KEY: licencePublicKey,
      },
    })
  })
  after(async () => {
    await panel.close()
    await server.close()
  })
  beforeEach(() => void (server.answer = (reply) => void reply.end(signed(licenceFor()))))

  it('needs a key: a body that does not bind is refused flat, a missing key with a code', async () => {
    for (const body of ['no json', '[]', { license_key: 7 }, { license_key: 'x'.repeat(201) }]) {
      const { status, json } = await panel.request('POST', '/api/telemetry/push-license', {
        ...withSecret,
        body,
      })
      assert.equal(status, 400)
      assert.deepEqual([Object.keys(json), typeof json.error], [['error'], 'string'])
    }
    for (const body of [{}, { license_key: '' }, { license_key: '  ' }]) {
      const { status, error } = await panel.request('POST', '/api/telemetry/push-license', {
        ...withSecret,
        body,
      })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
    }
    assert.deepEqual(server.asked, [])
  })

  it('is refused if the server refuses the key, or sends one for another host or an expired one', async () => {
    const answers = [
      (reply: { writeHead(status: number): { end(): unknown } }) => void reply.writeHead(404).end(),
      (reply: { end(text: string): unknown }) =>
        void reply.end(signed(licenceFor({ host: 'other.example' }))),
      (reply: { end(text: string): unknown }) =>
        void reply.end(signed(licenceFor({ expires_at: '2020-01-01T00:00:00Z' }))),
    ]
    for (const answer of answers) {
      server.answer = answer
      assert.deepEqual(await codeOf(), [400, 'activation_failed'])
    }
    assert.equal(statSync(stored(), { throwIfNoEntry: false }), undefined)
  })

  it('is not believed if the signature is another one, or the answer is no licence', async () => {
    const foreign = generateKeyPairSync('ed25519').privateKey
    const good = JSON.parse(signed(licenceFor()))
    const answers = [
      signed(licenceFor(), foreign),
      JSON.stringify({ ...good, license: good.license.replace('gold', 'iron') }),
      JSON.stringify({ ...good, signature: '' }),
      JSON.stringify({ license: good.license }),
      signed('no json'),
      signed('{"key":"KEY"}'),
      signed(JSON.stringify({ ...licenceFor(), max_websites: -1 })),
      signed(JSON.stringify({ ...licenceFor(), expires_at: 'never' })),
      '',
      '<html>garbage</html>',
      'null',
    ]
    for (const answer of answers) {
      server.answer = (reply) => void reply.end(answer)
      assert.deepEqual(await codeOf(), [500, 'decode_error'], answer)
    }
    assert.equal(statSync(stored(), { throwIfNoEntry: false }), undefined)
  })

  it('fails if the server is silent, stops, fails, sends without end, or leads elsewhere', async () => {
    const answers: LicenceServer['answer'][] = [
      () => {},
      (reply) => void reply.write('{'),
      (reply) => void reply.destroy(),
      (reply) => void reply.writeHead(503).end(),
      (reply) => void reply.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      (reply) => {
        const more = (): void => void (reply.write('x'.repeat(65_536)) ? setImmediate(more) : undefined)
        reply.on('drain', more).on('error', () => {})
        more()
      },
    ]
    for (const [at, answer] of answers.entries()) {
      server.answer = answer
      assert.deepEqual(await codeOf(), [502, 'license_server_error'], `answer ${at}`)
    }
  })

  it('is not used if it cannot be stored', async ({ mock }) => {
    const write = mock.method(panel.host.files, 'write', () =>
      Promise.reject(new Error('EACCES: permission denied')),
    )
    assert.deepEqual(await codeOf(), [500, 'write_error'])
    write.mock.restore()
    assert.equal(statSync(stored(), { throwIfNoEntry: false }), undefined)
  })

  it('is stored for root alone, used at once, and kept by the next push', async () => {
    server.asked.length = 0
    const { status, json } = await pushed(' KEY-1234-5678-9012 ')
    const features = { clusters: true, mailbox_backup: false }
    assert.equal(status, 200)
    assert.deepEqual(json, { data: { success: true, features, tier: 'gold', status: 'active' } })
    assert.equal(statSync(stored()).mode & 0o777, 0o600)
    const [asked] = server.asked
    assert.deepEqual(asked, { license_key: 'KEY-1234-5678-9012', ip: '203.0.113.7', host: licenceFor().host })
    const again = await pushed('another key')
    assert.deepEqual([again.status, again.json], [200, { status: 'already_licensed', tier: 'gold' }])
    assert.equal(server.asked.length, 1)
    const { json: pong } = await panel.request('GET', '/api/telemetry/ping', withSecret)
    const { features: _features, host: _host, ...license } = licenceFor()
    assert.deepEqual(pong, { version: '0.0.0-test', status: 'running', license })
  })

  it('shows its key masked to those who did not present a secret, and is used after a restart', async () => {
    const environment = { HOSTREEVE_DATA_DIR: '/var/lib', HOSTREEVE_LICENSE_PUBLIC_KEY: licencePublicKey }
    writeFileSync(stored(), signed(licenceFor()), { mode: 0o600 })
    const open = async () => {
      const restarted = await openTestPanel({ root: panel.root, environment })
      const { json } = await restarted.request('GET', '/api/telemetry/ping', loopback)
      await restarted.close()
      return json.license?.key
    }
    assert.equal(await open(), 'KEY-••••••••9012')
    writeFileSync(stored(), readFileSync(stored(), 'utf8').replace('gold', 'iron'))
    assert.equal(await open(), undefined)
  })

  it('tells no record of the key', async () => {
    const { text } = await panel.request('GET', '/api/activity?per_page=100', { as: panel.admin })
    assert.match(text, /push_licence|pushLicence|licence/)
    assert.doesNotMatch(text + JSON.stringify(panel.log), /KEY-1234-5678-9012/)
  })
})
