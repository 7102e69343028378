import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { bootShop, bootVisitor, shopPort, statusesOf, tally } from './story/shops.ts'
import { SignedIn } from './story/signed-in.ts'

const address = '192.0.2.10'
const shops = { shop1: '192.0.2.21', shop2: '192.0.2.22' }

describe('the load balancer in front of two web servers', () => {
  let lb: Host
  let shop1: Host
  let shop2: Host
  let visitor: Host
  let panel: Panel
  let admin: SignedIn
  const server = (name: keyof typeof shops, more: object = {}) => ({
    name,
    address: shops[name],
    port: shopPort,
    ...more,
  })
  const setState = (name: keyof typeof shops, state: string) =>
    admin.must('PUT', `/api/lbproxy/backends/shop/servers/${name}`, server(name, { state }))
  const visits = (port = 80) => tally(visitor, { address, port })
  const config = () => readFile(join(lb.rootPath, 'etc/haproxy/haproxy.cfg'), 'utf8')

  before(async () => {
    ;[lb, shop1, shop2, visitor] = await Promise.all([
      bootHost('lb', { image: 'haproxy', addresses: [`${address}/24`], without: ['haproxy'] }),
      bootShop('shop1', shops.shop1),
      bootShop('shop2', shops.shop2),
      bootVisitor('192.0.2.99'),
    ])
    panel = await startPanel(lb)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    for (const host of [lb, shop1, shop2, visitor]) await host?.remove()
  })

  it('says that it is not there until a job installed it', async () => {
    assert.deepEqual(pick(await admin.must('GET', '/api/lbproxy/status'), 'installed', 'running'), {
      installed: false,
      running: false,
    })
    assert.deepEqual(await admin.must('GET', '/api/lbproxy/backends'), [])
    const refusal = await admin.ask('POST', '/api/lbproxy/backends', { name: 'shop' })
    assert.deepEqual([refusal.status, refusal.message], [503, 'HAProxy is not installed'])
    const events = await admin.followJob((await admin.must('POST', '/api/lbproxy/install')).job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-5)))
    const status = await admin.must('GET', '/api/lbproxy/status')
    assert.deepEqual(pick(status, 'installed', 'running', 'failed_reloads'), {
      installed: true,
      running: true,
      failed_reloads: 0,
    })
    assert.match(status.version, /^2\.6/)
  })

  it('shares the traffic between them as soon as it is told to', async () => {
    await admin.must('POST', '/api/lbproxy/backends', { name: 'shop' })
    for (const name of ['shop1', 'shop2'] as const)
      await admin.must('POST', '/api/lbproxy/backends/shop/servers', server(name))
    const frontend = { name: 'web', binds: [{ port: 80 }], default_backend: 'shop' }
    const plan = await admin.ask('POST', '/api/lbproxy/frontends?plan=1', frontend)
    assert.match(JSON.stringify(plan.data), /\+frontend web.*haproxy/)
    await assert.rejects(visitor.request({ address }), /ECONNREFUSED/, 'a plan does nothing')
    await admin.must('POST', '/api/lbproxy/frontends', frontend)
    assertShared(await visits())
    for (const status of Object.values(await statusesOf(admin, 'shop'))) assert.match(status, /^UP/)
    const { rows } = await admin.must('GET', '/api/lbproxy/stats')
    const seen = rows.find(
      (row: { kind: string; proxy: string }) => row.kind === 'frontend' && row.proxy === 'web',
    )
    assert.equal(seen.responses_2xx, 20)
  })

  it('lets visitors of a drained server finish, and sends no new ones', async () => {
    const { bytes } = await openSlowly('shop2')
    await setState('shop2', 'drain')
    assert.deepEqual(await visits(), { shop1: 20 })
    assert.match((await statusesOf(admin, 'shop'))['shop2'] ?? '', /^DRAIN/)
    assert.equal(await bytes, 60 * 1024)
    await setState('shop2', 'ready')
    assertShared(await visits())
  })

  it('keeps a server out over changes, reloads, restarts and a reboot', async () => {
    await setState('shop1', 'maint')
    const happenings: Readonly<Record<string, () => Promise<unknown>>> = {
      'a change': () => admin.must('POST', '/api/lbproxy/backends', { name: 'spare' }),
      'a reload': () => admin.must('POST', '/api/lbproxy/reload'),
      'a reload by somebody else': () => lb.must(['systemctl', 'reload', 'haproxy']),
      'a restart by somebody else': () => lb.must(['systemctl', 'restart', 'haproxy']),
      'a reboot': () => lb.reboot().then(() => panel.start()),
    }
    for (const [happening, happen] of Object.entries(happenings)) {
      await happen()
      await poll(`shop1 to be out after ${happening}`, 10_000, async () =>
        (await untilServed())['shop2'] === 20 ? true : undefined,
      )
      assert.match((await statusesOf(admin, 'shop'))['shop1'] ?? '', /^MAINT/, `after ${happening}`)
    }
    await setState('shop1', 'ready')
    await poll('shop1 to be visited again', 10_000, async () =>
      ((await visits())['shop1'] ?? 0) > 5 ? true : undefined,
    )
    await admin.must('DELETE', '/api/lbproxy/backends/spare')
  })

  it('notices a server whose network is gone, and that it is back', async () => {
    await shop2.cutNetwork()
    await poll('shop2 to be seen as down', 30_000, async () =>
      (await statusesOf(admin, 'shop'))['shop2'] === 'DOWN' ? true : undefined,
    )
    assert.deepEqual(await visits(), { shop1: 20 })
    await shop2.restoreNetwork()
    await poll('shop2 to be seen as up', 30_000, async () =>
      (await statusesOf(admin, 'shop'))['shop2'] === 'UP' ? true : undefined,
    )
    assertShared(await visits())
  })

  it('speaks TLS with the certificate of the name that is asked for', async () => {
    await admin.must('POST', '/api/lbproxy/certificates', { domain: 'www.example.com', self_signed: true })
    await visitor.must([
      ...request,
      '-subj',
      '/CN=shop.example.net',
      '-addext',
      'subjectAltName=DNS:shop.example.net',
      ...into('own'),
    ])
    const [certificate, key] = await Promise.all(
      ['crt', 'key'].map((end) => readFile(join(visitor.rootPath, `root/own.${end}`), 'utf8')),
    )
    await admin.must('POST', '/api/lbproxy/certificates', { domain: 'shop.example.net', certificate, key })
    const secure = {
      port: 443,
      ssl: true,
      certificates: ['www.example.com', 'shop.example.net'],
      alpn: 'h2,http/1.1',
    }
    const redirects = ['scheme https code 301 unless { ssl_fc }']
    await admin.must('PUT', '/api/lbproxy/frontends/web', { binds: [{ port: 80 }, secure], redirects })
    assert.equal(await subjectFor('www.example.com'), 'subject=CN = www.example.com')
    assert.equal(await subjectFor('shop.example.net'), 'subject=CN = shop.example.net')
    const fetch = [
      '--silent',
      '--show-error',
      '--max-time',
      '5',
      '--location',
      '--cacert',
      '/root/own.crt',
      '--write-out',
      '%{http_version}',
    ] as const
    const places = [
      '--connect-to',
      `shop.example.net:80:${address}:80`,
      '--connect-to',
      `shop.example.net:443:${address}:443`,
    ] as const
    const fetched = await visitor.must(['curl', ...fetch, ...places, 'http://shop.example.net/'])
    assert.match(fetched.stdout, /^shop[12]\n2$/)
    assert.equal((await visitor.request({ address })).headers.location, `https://${address}/`)
    const { mode } = await stat(join(lb.rootPath, 'etc/haproxy/certs/shop.example.net.pem'))
    assert.equal(mode & 0o777, 0o600)
    assert.equal(
      (await admin.ask('DELETE', '/api/lbproxy/certificates/shop.example.net')).status,
      409,
      'it is in use',
    )
  })

  it('speaks TLS to a server at port 443', async () => {
    await admin.must('POST', '/api/lbproxy/backends/duplicate', { source: 'shop', name: 'vault', port: 443 })
    await admin.must('POST', '/api/lbproxy/frontends', {
      name: 'vault',
      binds: [{ port: 81 }],
      default_backend: 'vault',
    })
    assertShared(await tally(visitor, { address, port: 81, path: '/secure' }), ['shop1 on', 'shop2 on'])
    assert.deepEqual(Object.keys(await statusesOf(admin, 'vault')), ['vault_1', 'vault_2'])
  })

  it('goes back to a backup, and keeps what it replaced', async () => {
    const former = await config()
    const backup = await admin.must('POST', '/api/lbproxy/backups')
    await admin.must('DELETE', '/api/lbproxy/frontends/vault')
    await assert.rejects(visitor.request({ address, port: 81 }), /ECONNREFUSED/)
    const replaced = await config()
    await admin.must('POST', `/api/lbproxy/backups/${backup.name}/restore`)
    assert.equal(await config(), former)
    assert.equal((await visitor.request({ address, port: 81 })).status, 200)
    const names: string[] = (await admin.must('GET', '/api/lbproxy/backups')).map(
      ({ name }: { name: string }) => name,
    )
    const kept = names.find((name) => name.startsWith('pre-restore-')) ?? ''
    assert.equal(
      await readFile(join(lb.rootPath, 'var/lib/hostreeve-haproxy/backups', kept), 'utf8'),
      replaced,
    )
  })

  it('is removed by a job that leaves what it was told, and serves again once it is back', async () => {
    const former = await config()
    const removal = await admin.followJob((await admin.must('POST', '/api/lbproxy/uninstall')).job_id)
    assert.equal(removal.at(-1)?.['state'], 'succeeded', JSON.stringify(removal.slice(-5)))
    assert.equal((await admin.must('GET', '/api/lbproxy/status')).installed, false)
    await assert.rejects(visitor.request({ address }), /ECONNREFUSED/)
    assert.equal(await config(), former)
    await admin.followJob((await admin.must('POST', '/api/lbproxy/install')).job_id)
    assertShared(await tally(visitor, { address, port: 81 }))
    assert.equal(await subjectFor('shop.example.net'), 'subject=CN = shop.example.net')
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })

  const request = [
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '30',
  ] as const
  const into = (name: string) => ['-keyout', `/root/${name}.key`, '-out', `/root/${name}.crt`]

  /** The subject of the certificate that is served for this name. */
  async function subjectFor(servername: string): Promise<string> {
    const shown = await visitor.must(
      ['openssl', 's_client', '-connect', `${address}:443`, '-servername', servername],
      { input: '' },
    )
    return (
      await visitor.must(['openssl', 'x509', '-noout', '-subject'], { input: shown.stdout })
    ).stdout.trim()
  }

  /** HAProxy after a start, once it listens. */
  async function untilServed(): Promise<Readonly<Record<string, number>>> {
    return poll('HAProxy to serve', 10_000, () => visits().catch(() => undefined)) // it refuses connections until it listens
  }

  /** Starts a request that takes seconds from one of the shops; `bytes` is the number of bytes received. */
  async function openSlowly(wanted: string): Promise<{ readonly bytes: Promise<number> }> {
    for (;;) {
      const response = await visitor.open({ address, path: '/slow' })
      if (response.headers['x-shop'] === wanted) return { bytes: countBytes(response) }
      response.destroy()
    }
  }
})

async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.length
  return bytes
}

function pick(from: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

/**
 * Asserts that both answered about equally often, and nothing else did: each of HAProxy's threads has its own
 * rotation.
 */
function assertShared(
  counts: Readonly<Record<string, number>>,
  names: readonly string[] = ['shop1', 'shop2'],
): void {
  assert.deepEqual(Object.keys(counts).sort(), names)
  for (const count of Object.values(counts)) assert.ok(Math.abs(count - 10) <= 3, JSON.stringify(counts))
}
