import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'
import { createSelfSigned } from '../../../host/self-signed.ts'
import type { Certificates, Context } from '../context.ts'
import { readNotices } from '../notices.ts'
import { digestOf } from './own-pair.ts'
import { portsOfPanel } from './panel-certificate.ts'
import { onlyRow, panelCertificateFailures, panelCertificates } from './store.ts'
import { askForPanel, queuePanelRenewal } from './watch.ts'

const name = 'panel.example.com'
const dayMs = 86_400_000
const never = new AbortController().signal
const path = '/api/settings/panel-certificate'

describe('the certificate of the panel', () => {
  let panel: TestPanel
  let dataDir: string
  let folder: string
  let authority: Server
  let status: number
  /** What the authority has not answered yet; undefined if it answers at once. */
  let held: (() => void)[] | undefined
  let pair: { readonly cert: string; readonly key: string }
  let served: string[]
  before(async () => {
    authority = createServer((_request, response) => {
      const answer = () => {
        response.writeHead(status, { 'retry-after': '7200' }).end('{"detail":"planted"}')
      }
      if (held === undefined) answer()
      else held.push(answer)
    })
    await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
    const { port } = authority.address() as AddressInfo
    dataDir = mkdtempSync(`${tmpdir()}/hostreeve-test-`)
    served = []
    panel = await openTestPanel({
      dataDir,
      hasNginx: true,
      serveCertificate: ({ cert }) => served.push(cert),
      addresses: { own: () => ['192.0.2.10'], resolve: async () => ['192.0.2.20'] },
      environment: {
        HOSTREEVE_TLS: 'on',
        HOSTREEVE_ACME_DIRECTORY: `http://127.0.0.1:${port}/directory`,
      },
    })
    await panel.start()
    folder = `${panel.root}${dataDir}/tls`
    mkdirSync(folder, { recursive: true })
    pair = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
  })
  beforeEach(async () => {
    status = 429
    served.length = 0
    writeFileSync(`${folder}/panel.crt`, pair.cert)
    writeFileSync(`${folder}/panel.key`, pair.key, { mode: 0o600 })
    await write(panelCertificates.delete(onlyRow), panelCertificateFailures.delete(onlyRow))
  })
  after(async () => {
    authority.closeAllConnections()
    authority.close()
    await panel.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  type Rows = Parameters<typeof panel.store.write>[1]
  const write = (...rows: Rows) => panel.store.transaction((tx) => panel.store.write(tx, rows))
  const on = (): Certificates => {
    const context = panel.routes.find(({ area }) => area.name === 'certificates')?.context as Context
    return context.certificates
  }
  const ask = (
    method: string,
    { as = panel.admin, body = undefined as object | undefined, query = '' } = {},
  ) => panel.request(method, `${path}${query}`, { as, ...(body && { body }) })
  const certFile = () => readFileSync(`${folder}/panel.crt`, 'utf8')
  const jobOf = async (id: number) =>
    (await panel.request('GET', `/api/jobs/${id}`, { as: panel.admin })).data
  const order = async () => {
    const { status: answered, data, error } = await ask('POST', { body: { name } })
    assert.equal(answered, 202, error?.message)
    await until(async () => !['queued', 'running'].includes((await jobOf(data.job_id)).state))
    return jobOf(data.job_id)
  }
  /** As if an authority had issued the certificate that is served. */
  const ordered = (renewAt: Date, ariId: string | null = null) =>
    write(
      panelCertificates.insert(
        panelCertificates.row({
          ...onlyRow,
          name,
          fingerprint: digestOf(pair.cert),
          issuer: 'Test',
          not_before: new Date(Date.now() - 60 * dayMs).toISOString(),
          not_after: new Date(Date.now() + 30 * dayMs).toISOString(),
          directory: on().directory,
          ari_id: ariId,
          renew_at: renewAt.toISOString(),
          ari_at: new Date().toISOString(),
        }),
      ),
    )

  it('is described with its names and issuer, and is not renewed before it was ordered', async () => {
    const { data } = await ask('GET')
    assert.deepEqual(
      [data.name, data.names, data.issuer, data.is_renewed, data.renew_at, data.serves_https],
      [null, [name], name, false, null, true],
    )
    writeFileSync(`${folder}/panel.crt`, 'nothing')
    assert.deepEqual((await ask('GET')).data.names, [])
  })

  it('belongs to superusers', async () => {
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal((await ask(method, { as: ada, ...(method === 'POST' && { body: { name } }) })).status, 403)
  })

  it('is ordered for a host name alone', async () => {
    for (const wrong of ['*.example.com', 'Panel.example.com', 'panel', '192.0.2.10', 'a.example.com\nb']) {
      const { status: answered, error } = await ask('POST', { body: { name: wrong } })
      assert.deepEqual([answered, error.code], [400, 'bad_request'])
      assert.match(error.message, /^name: .*a host name in lower case such as panel\.example\.com/)
    }
  })

  it('has a plan that says where the name leads, and orders nothing', async () => {
    const { data } = await ask('POST', { body: { name }, query: '?plan=1' })
    const titles = data.steps.map(({ title }: { readonly title: string }) => title)
    assert.deepEqual(titles, [
      'Serve hostreeve-panel',
      `Order a certificate for ${name}, and serve the panel with it`,
      'Stop serving hostreeve-panel',
    ])
    assert.match(data.details.join(), /panel\.example\.com does not lead to this host alone/)
    assert.ok(!JSON.stringify(data).includes('PRIVATE KEY'))
    assert.equal(certFile(), pair.cert)
  })

  it('stays as it was where the authority issues none, and nginx answers no longer for the name', async () => {
    const job = await order()
    assert.equal(job.state, 'failed')
    assert.deepEqual([certFile(), served], [pair.cert, []])
    assert.equal(await panel.host.files.read(panel.tools.nginx.sitePath('hostreeve-panel')), undefined)
    const { data } = await ask('GET')
    assert.deepEqual([data.name, typeof data.last_error], [null, 'string'])
    assert.ok(Date.parse(data.retry_at) - Date.now() > 7_000_000)
    const told = await readNotices(on(), new Date())
    assert.deepEqual(
      told.map(({ to, title }) => [to, title]),
      [['superusers', `No certificate could be issued for the panel at ${name}`]],
    )
    assert.deepEqual(
      (await portsOfPanel(on())).map(({ port }) => port),
      [80],
    )
  })

  it('cannot be ordered by a panel that has no key', async () => {
    rmSync(`${folder}/panel.key`)
    const { status: answered, error } = await ask('POST', { body: { name } })
    assert.deepEqual([answered, error.code], [503, 'unavailable'])
    assert.match(error.message, /tls\/panel\.crt or tls\/panel\.key is missing/)
  })

  it('is ordered once at a time', async () => {
    const answers: (() => void)[] = []
    held = answers
    const first = await ask('POST', { body: { name } })
    const second = await ask('POST', { body: { name } })
    assert.deepEqual([first.status, second.status, second.error?.code], [202, 409, 'conflict'])
    await until(async () => answers.length > 0)
    held = undefined
    for (const answer of answers) answer()
    await until(async () => (await jobOf(first.data.job_id)).state === 'failed')
  })

  it('is renewed once when it is due, and not before the authority may be asked again', async () => {
    await ordered(new Date(Date.now() + dayMs))
    assert.equal(await queuePanelRenewal(on(), new Date(), never), false)
    const due = new Date(Date.now() + 2 * dayMs)
    const retry_at = new Date(Date.now() + 3 * dayMs).toISOString()
    const failure = { name, error: 'planted', failed_at: new Date().toISOString(), count: 1, retry_at }
    await on().panel.queries.noteFailure(failure)
    assert.equal(await queuePanelRenewal(on(), due, never), false)
    await on().panel.queries.noteFailure({ ...failure, name: 'wrong.example.com' })
    assert.equal(await queuePanelRenewal(on(), due, never), true)
    assert.equal(await queuePanelRenewal(on(), due, never), false)
    await until(async () => {
      const path = '/api/jobs?search=certificates.order-panel&sort=-id'
      const { data } = await panel.request('GET', path, { as: panel.admin })
      return data.items[0].state === 'failed'
    })
    assert.equal(typeof (await ask('GET')).data.last_error, 'string')
    assert.equal(certFile(), pair.cert)
  })

  it('is not renewed once another one has taken its place', async () => {
    await ordered(new Date(Date.now() + dayMs))
    assert.deepEqual((await ask('GET')).data.is_renewed, true)
    const other = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date(), pair.key)
    writeFileSync(`${folder}/panel.crt`, other.cert)
    const due = new Date(Date.now() + 2 * dayMs)
    assert.equal(await queuePanelRenewal(on(), due, never), false)
    const { data } = await ask('GET')
    assert.deepEqual([data.name, data.is_renewed], [name, false])
  })

  it('is asked for again in an hour where the authority says nothing of renewals', async () => {
    await ordered(new Date(Date.now() + dayMs), 'id')
    await askForPanel(on(), new Date(), never)
    const { ari_at, renew_at } = (await on().panel.queries.certificate()) ?? {}
    assert.ok(Date.parse(ari_at ?? '') > Date.now() + 3_000_000)
    assert.ok(Date.parse(renew_at ?? '') > Date.now())
  })

  it('is removed: a self-signed one of the same key is served', async () => {
    const missing = await ask('DELETE')
    assert.deepEqual([missing.status, missing.error.code], [404, 'not_found'])
    await ordered(new Date(Date.now() + dayMs))
    const removed = await ask('DELETE')
    assert.equal(removed.status, 200, removed.text)
    const [was, is] = [pair.cert, certFile()].map((pem) => new X509Certificate(pem))
    assert.ok(is!.fingerprint256 !== was!.fingerprint256 && is!.publicKey.equals(was!.publicKey))
    assert.deepEqual(served, [certFile()])
    assert.equal((await ask('GET')).data.name, null)
    assert.deepEqual(await portsOfPanel(on()), [])
  })

  it('is no longer wanted once an order that failed is removed', async () => {
    assert.equal((await order()).state, 'failed')
    const removed = await ask('DELETE')
    assert.equal(removed.status, 200, removed.text)
    assert.deepEqual([certFile(), served], [pair.cert, []])
    assert.equal((await ask('GET')).data.last_error, null)
    assert.deepEqual(await portsOfPanel(on()), [])
    assert.equal((await ask('DELETE')).status, 404)
  })

  it('for another key is never written', async () => {
    const foreign = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
    await assert.rejects(on().panel.own.serve(foreign.cert), /another key/)
    assert.deepEqual([certFile(), served], [pair.cert, []])
  })
})
