import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { appendFile, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { command, pebbleAddress, pebbleEnvironment, startPebble } from './story/pebble.ts'
import { SignedIn } from './story/signed-in.ts'

const name = 'panel.example.com'
const path = '/api/settings/panel-certificate'
const port = 7070
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

describe('the certificate of the panel', () => {
  let host: Host
  let panel: Panel
  let token = ''
  /** The certificate of the authority, which a browser would know. */
  let root: string
  before(async () => {
    host = await bootHost('panelcert', { addresses: [`${pebbleAddress}/24`] })
    await startPebble(host)
    panel = await startPanel(host, { env: pebbleEnvironment })
    const admin = await SignedIn.as(panel)
    await admin.installNginx()
    root = (await host.must(['curl', '-sk', 'https://127.0.0.1:15000/roots/0'])).stdout
    // the client of the harness speaks http: from here on, the panel serves https
    await panel.stop()
    await appendFile(join(host.rootPath, 'etc/hostreeve-panel.env'), 'HOSTREEVE_TLS="on"\n')
    await host.must(['systemctl', 'start', 'hostreeve'])
    await signIn(panel)
  })
  after(() => host?.remove())

  const call = (method: string, asked: string, body?: object) =>
    host.request({
      ...{ method, path: asked, port, tls: {}, timeoutMs: 120_000 },
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const must = async (method: string, asked: string, body?: object): Promise<any> => {
    const answer = await call(method, asked, body)
    assert.ok(answer.status < 300, `${method} ${asked} answered ${answer.status}: ${answer.text}`)
    return (answer.json() as { readonly data: unknown }).data
  }
  /** Waits until the panel serves https, and signs in. */
  const signIn = async ({ environment }: Panel) => {
    await poll('the panel to serve https', 120_000, async () =>
      (await call('GET', '/readyz').catch(() => undefined))?.status === 200 ? true : undefined,
    )
    const { HOSTREEVE_ADMIN_EMAIL: email, HOSTREEVE_ADMIN_PASSWORD: password } = environment
    token = (await must('POST', '/api/auth/login', { email, password })).access_token
  }
  const jobOf = (id: number) => must('GET', `/api/jobs/${id}`)
  const order = async (wanted = name) => {
    const { job_id } = await must('POST', path, { name: wanted })
    await poll('the order to end', 120_000, async () =>
      ['queued', 'running'].includes((await jobOf(job_id)).state) ? undefined : true,
    )
    return jobOf(job_id)
  }
  /** Visits the panel as a browser that trusts the authority; throws if the certificate is not valid for the name. */
  const visitAsBrowser = (servername = name) =>
    host.request({ path: '/api/version', port, tls: { servername, ca: root }, headers: { Host: servername } })
  /** The certificates that a client gets in the handshake, with their chain. */
  const shown = async () => {
    const client = `openssl s_client -connect 127.0.0.1:${port} -servername ${name} -showcerts </dev/null 2>/dev/null`
    const { stdout } = await host.must(['bash', '-c', client])
    return (stdout.match(pemBlock) ?? []).map((pem) => new X509Certificate(pem))
  }
  const serial = async () => (await shown())[0]?.serialNumber
  const digestOfKey = (certificate: X509Certificate | undefined) =>
    certificate?.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  /** Tells one start of the panel from another. */
  const startOfPanel = async () =>
    (await host.must(['systemctl', 'show', '-p', 'ExecMainStartTimestampMonotonic', 'hostreeve'])).stdout
  const certPath = () => join(host.rootPath, 'var/lib/hostreeve/tls/panel.crt')

  it('is self-signed at first, which a browser refuses', async () => {
    await assert.rejects(visitAsBrowser(), /self-signed/)
    const { name: ordered, is_renewed, serves_https } = await must('GET', path)
    assert.deepEqual([ordered, is_renewed, serves_https], [null, false, true])
  })

  it('is ordered, and served with its chain without a restart, for the key that the panel had', async () => {
    const [was] = await shown()
    const start = await startOfPanel()
    const job = await order()
    assert.equal(job.state, 'succeeded', job.error)
    assert.equal((await visitAsBrowser()).status, 200)
    const [is, intermediate] = await shown()
    assert.match(is?.issuer ?? '', /Pebble/)
    assert.ok(intermediate && is?.checkIssued(intermediate), 'the chain is served')
    assert.equal(digestOfKey(is), digestOfKey(was))
    assert.equal(await startOfPanel(), start)
    const { names, is_renewed, renew_at } = await must('GET', path)
    assert.deepEqual([names, is_renewed, Date.parse(renew_at) > Date.now()], [[name], true, true])
  })

  it('left nothing at the web server, which answers for the name no longer', async () => {
    const sites = await readdir(join(host.rootPath, 'etc/nginx/hostreeve/sites'))
    assert.ok(!sites.includes('hostreeve-panel.conf'), sites.join())
    const token = '/.well-known/acme-challenge/token'
    const ask = async (Host: string) => (await host.request({ path: token, headers: { Host } })).text
    assert.equal(await ask(name), await ask('unknown.example.com'))
  })

  it('stays where the authority refuses another name', async () => {
    const before = await serial()
    const other = 'elsewhere.example.com'
    await command(host, 'http://127.0.0.1:8055/add-a', { host: other, addresses: ['192.0.2.99'] })
    const job = await order(other)
    assert.equal(job.state, 'failed')
    assert.match(job.error, /elsewhere\.example\.com/)
    assert.equal(await serial(), before)
    assert.equal((await visitAsBrowser()).status, 200)
    const { name: ordered, last_error } = await must('GET', path)
    assert.deepEqual([ordered, typeof last_error], [name, 'string'])
    assert.equal((await order()).state, 'succeeded')
    assert.equal((await must('GET', path)).last_error, null)
  })

  it('is ordered while a website of the panel has the name', async () => {
    const { id } = await must('POST', '/api/users', {
      ...{ email: 'ada@hosts.test', password: 'the password of ada', fullname: 'Ada', username: 'ada' },
    })
    assert.ok(id > 0)
    await must('POST', '/api/websites', { domain: name, type: 'static', username: 'ada' })
    const before = await serial()
    const job = await order()
    assert.equal(job.state, 'succeeded', job.error)
    assert.notEqual(await serial(), before)
  })

  it('is renewed when the authority suggests it', async () => {
    // the panel asks once after an order, and then in hours: an answer that comes before the suggestion is followed by another order
    for (let attempt = 0; ; attempt++) {
      assert.equal((await order()).state, 'succeeded')
      const before = await serial()
      const [certificate = ''] = (await readFile(certPath(), 'utf8')).match(pemBlock) ?? []
      const [start, end] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000))
      const ariResponse = JSON.stringify({ suggestedWindow: { start, end } })
      await command(host, 'https://127.0.0.1:15000/set-renewal-info/', { certificate, ariResponse })
      const renewal = poll('the renewal', 60_000, async () =>
        (await serial()) === before ? undefined : true,
      )
      if (await renewal.catch((error: unknown) => (attempt < 2 ? false : Promise.reject(error)))) break
    }
    assert.equal((await visitAsBrowser()).status, 200)
  })

  it('is served by the next start too', async () => {
    const before = await serial()
    await host.must(['systemctl', 'restart', 'hostreeve'])
    await signIn(panel)
    assert.equal(await serial(), before)
  })

  it('is removed for a self-signed one of the same key', async () => {
    const [was] = await shown()
    await must('DELETE', path)
    const [is] = await shown()
    assert.equal(is?.issuer, is?.subject)
    assert.equal(digestOfKey(is), digestOfKey(was))
    await assert.rejects(visitAsBrowser(), /self-signed/)
  })
})
