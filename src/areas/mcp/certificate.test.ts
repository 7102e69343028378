import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request as requestOver } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { type HttpSurface, openHttp } from '../../surfaces/http/server.ts'

describe("the panel's certificate", () => {
  let panel: TestPanel
  let dataDir: string
  let folder: string
  let served: string[]
  let surface: HttpSurface | undefined
  before(async () => {
    dataDir = mkdtempSync(`${tmpdir()}/hostreeve-test-`)
    served = []
    const serve = (made: { readonly cert: string; readonly key: string }) => {
      served.push(made.cert)
      surface?.useCertificate(made)
    }
    panel = await openTestPanel({ dataDir, serveCertificate: serve })
    folder = `${panel.root}${dataDir}/tls`
    mkdirSync(folder, { recursive: true })
    const made = await createSelfSigned(
      'panel.example.com',
      [
        { type: 'dns', value: 'panel.example.com' },
        { type: 'ip', value: '::1' },
      ],
      new Date(),
    )
    writeFileSync(`${folder}/panel.crt`, made.cert)
    writeFileSync(`${folder}/panel.key`, made.key, { mode: 0o600 })
  })
  after(async () => {
    await panel.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const ask = (method: string, path: string, body?: object) =>
    panel.request(method, `/api/mcp-keys/tls${path}`, { as: panel.admin, ...(body && { body }) })
  const pair = () => ['crt', 'key'].map((end) => readFileSync(`${folder}/panel.${end}`, 'utf8'))

  test('is described by its names, its validity and the digest of its key', async () => {
    const { status, data } = await ask('GET', '')
    assert.equal(status, 200)
    assert.deepEqual([data.subject, data.issuer], ['CN=panel.example.com', 'CN=panel.example.com'])
    assert.deepEqual([data.names, data.self_signed], [['panel.example.com', '::1'], true])
    assert.ok(Date.parse(data.valid_from) < Date.now() && Date.parse(data.valid_until) > Date.now())
    assert.equal(data.fingerprint_sha256, new X509Certificate(pair()[0] as string).fingerprint256)
  })

  test('is downloaded without its private key', async () => {
    const { status, headers, text } = await ask('GET', '/download')
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-pem-file'])
    assert.match(String(headers['content-disposition']), /panel\.crt/)
    assert.equal(text, pair()[0])
  })

  test('is replaced for the same key, and served', async () => {
    const [cert, key] = pair()
    const { status, data } = await ask('POST', '/regenerate')
    assert.deepEqual([status, data], [200, { success: true }])
    const [newCert, newKey] = pair()
    assert.ok(newCert !== cert && newKey === key)
    assert.deepEqual(served, [newCert])
    const [was, is] = [cert, newCert].map((pem) => new X509Certificate(pem as string).publicKey)
    assert.ok(was?.equals(is as never))
    assert.match(new X509Certificate(newCert as string).subjectAltName ?? '', /DNS:localhost/)
  })

  test('is replaced for new connections, while those that are open go on', async (t) => {
    const [cert = '', key = ''] = pair()
    const { routes, gates } = panel
    surface = await openHttp({ routes, gates, trustedProxies: [], accessLog: gates.log, tls: { cert, key } })
    await surface.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = surface.app.server.address() as AddressInfo
    const newClient = () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
      t.after(() => agent.destroy())
      return agent
    }
    const visit = async (agent: Agent) => {
      const asking = requestOver({ host: '127.0.0.1', port, agent, path: '/api/version' }).end()
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      const { fingerprint256 } = (answer.socket as TLSSocket).getPeerCertificate()
      await answer.toArray()
      return { fingerprint256, isOpenAlready: asking.reusedSocket }
    }
    const shown = () => new X509Certificate(pair()[0] as string).fingerprint256
    const former = shown()
    const patient = newClient()
    assert.deepEqual(await visit(patient), { fingerprint256: former, isOpenAlready: false })
    assert.equal((await ask('POST', '/regenerate', { new_key: true })).status, 200)
    assert.deepEqual(await visit(patient), { fingerprint256: former, isOpenAlready: true })
    assert.notEqual(shown(), former)
    assert.deepEqual(await visit(newClient()), { fingerprint256: shown(), isOpenAlready: false })
    await surface.stop(0)
    surface = undefined
  })

  test('gets a new key if that is asked for, and the plan writes nothing', async () => {
    const before = pair()
    const plan = await ask('POST', '/regenerate?plan=1', { new_key: true })
    assert.equal(plan.data.steps[0].title, "Replace the panel's certificate")
    assert.ok(!JSON.stringify(plan.data).includes('PRIVATE KEY'))
    assert.deepEqual(pair(), before)
    await ask('POST', '/regenerate', { new_key: true })
    const [cert, key] = pair()
    assert.ok(key !== before[1] && cert !== before[0])
    assert.equal((await ask('POST', '/regenerate', { new_key: 'yes' })).status, 400)
  })

  test('is kept if its key cannot sign, and the answer says what to do', async () => {
    const before = pair()
    writeFileSync(`${folder}/panel.key`, 'no key')
    const { status, error } = await ask('POST', '/regenerate')
    assert.deepEqual([status, error.code], [500, 'regenerate_failed'])
    assert.match(error.message, /^new_key: .* use true/)
    assert.equal(pair()[0], before[0])
    writeFileSync(`${folder}/panel.key`, before[1] as string)
  })

  test('is replaced if its file is damaged, for the same key', async () => {
    const [cert, key] = pair()
    writeFileSync(`${folder}/panel.crt`, 'nothing')
    const plan = await ask('POST', '/regenerate?plan=1')
    assert.deepEqual([plan.status, plan.data.steps[0].objects[0].before], [200, null])
    assert.equal((await ask('POST', '/regenerate')).status, 200)
    const [newCert, newKey] = pair()
    assert.ok(newCert !== cert && newKey === key)
    assert.equal(
      (await ask('GET', '')).data.fingerprint_sha256,
      new X509Certificate(newCert ?? '').fingerprint256,
    )
  })

  test('is told to be unreadable, or not there', async () => {
    const [cert] = pair()
    writeFileSync(`${folder}/panel.crt`, 'nothing')
    for (const path of ['', '/download']) {
      const { status, error } = await ask('GET', path)
      assert.deepEqual([status, error.code], [500, 'read_failed'])
    }
    rmSync(`${folder}/panel.crt`)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/download'],
      ['POST', '/regenerate'],
    ] as const) {
      const { status, error } = await ask(method, path)
      assert.deepEqual([status, error.code], [503, 'unavailable'])
      assert.match(error.message, /tls\/panel\.crt or tls\/panel\.key is missing/)
    }
    writeFileSync(`${folder}/panel.crt`, cert as string)
  })
})
