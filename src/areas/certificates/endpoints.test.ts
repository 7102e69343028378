import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { until } from '../../../test/support/until.ts'
import { askRenewalInfo } from './acme/renewal-info.ts'
import { insertRow } from '../../store/rows.ts'
import type { Context } from './context.ts'
import { readNotices } from './notices.ts'
import { websiteCertificates } from './store.ts'
import { madeBy } from './testing/certificates.ts'
import { queueRenewals } from './watch.ts'

const now = new Date()
const isRoot = process.getuid?.() === 0
const account = { uid: isRoot ? 1001 : (process.getgid?.() ?? 1001) }

describe('certificates', () => {
  let panel: TestPanel
  let ada: Person
  let eve: Person
  let authority: Server
  let answer: (url: string) => { status: number; text: string; headers?: Record<string, string> } | undefined
  before(async () => {
    authority = createServer((request, response) => {
      const given = answer(request.url ?? '')
      if (given) response.writeHead(given.status, given.headers).end(given.text) // otherwise it never answers
    })
    await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
    const { port } = authority.address() as AddressInfo
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', account]]),
      addresses: { own: () => ['192.0.2.10'], resolve: async () => ['192.0.2.10'] },
      fetch: { connectMs: 3000, stallMs: 3000 },
      environment: { HOSTREEVE_ACME_DIRECTORY: `http://127.0.0.1:${port}/directory` },
    })
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    eve = await panel.person({ username: 'eve', permissions: ['websites_management'] })
  })
  after(async () => {
    authority.closeAllConnections()
    authority.close()
    await panel.close()
  })

  /** A website of the store whose file is missing. */
  const store = (domain: string) => addWebsite(panel, { domain, userId: ada.id, at: now })
  const ask = (method: string, id: number, body?: unknown, { as = ada, path = '/ssl' } = {}) =>
    panel.request(method, `/api/websites/${id}${path}`, { as, ...(body !== undefined && { body }) })
  const jobOf = async (id: number) =>
    (await panel.request('GET', `/api/jobs/${id}`, { as: panel.admin })).data
  const ended = async (jobId: number) => {
    await until(async () => !['queued', 'running'].includes((await jobOf(jobId)).state))
    return jobOf(jobId)
  }
  const issue = async (id: number, body: unknown) => {
    const { status, data, error } = await ask('POST', id, body)
    assert.equal(status, 202, error?.message)
    return ended(data.job_id)
  }
  const context = (): Context =>
    panel.routes.find(({ area }) => area.name === 'certificates')?.context as Context
  const fileOf = (domain: string) => panel.host.files.read(panel.tools.nginx.sitePath(domain))
  const filesOf = () => panel.host.files.list(panel.tools.nginx.layout.certificatesDirectory)

  it('are made, uploaded and removed, and nginx serves each at once', async () => {
    const id = await store('shop.example.com')
    assert.equal((await ask('GET', id)).data.state, 'none')
    assert.equal((await issue(id, { method: 'self_signed' })).state, 'succeeded')
    const first = (await ask('GET', id)).data
    assert.deepEqual([first.method, first.names, first.state], ['self_signed', ['shop.example.com'], 'valid'])
    assert.match((await fileOf('shop.example.com')) ?? '', /listen 443 ssl http2;/)
    const { cert, key } = await madeBy(undefined, { name: 'shop.example.com', now })
    const job = await issue(id, { method: 'upload', certificate: cert, key })
    assert.equal(job.state, 'succeeded', job.error)
    assert.equal((await ask('GET', id)).data.method, 'upload')
    const [file, ...others] = await filesOf()
    assert.deepEqual(others, [], 'the former one is removed')
    const path = panel.tools.nginx.certificatePath(file!)
    assert.equal((await panel.host.files.facts(path))?.mode, 0o600)
    assert.ok(((await fileOf('shop.example.com')) ?? '').includes(path))
    const listed = JSON.stringify([(await ask('GET', id)).data, await jobOf(job.id)])
    assert.ok(!listed.includes('PRIVATE KEY') && !listed.includes(key.split('\n')[1]!))
    assert.equal((await ask('DELETE', id)).status, 200)
    assert.deepEqual(await filesOf(), [])
    assert.doesNotMatch((await fileOf('shop.example.com')) ?? '', /443/)
    assert.deepEqual(
      [(await ask('DELETE', id)).status, (await ask('DELETE', id)).error.code],
      [404, 'not_found'],
    )
  })

  it('are taken without their intermediate with a warning, which the job, the page and explain show', async () => {
    const id = await store('chain.example.com')
    answer = () => ({ status: 404, text: '' })
    const root = await madeBy(undefined, { name: 'Company Root', isAuthority: true, now })
    const middle = await madeBy(root, { name: 'Company Issuer', isAuthority: true, now })
    const { cert, key } = await madeBy(middle, { name: 'chain.example.com', now })
    const warning = /^The chain ends with chain\.example\.com, which was issued by Company Issuer: /
    const upload = (certificate: string) => issue(id, { method: 'upload', certificate, key })
    const chainOf = async () =>
      (await ask('GET', id, undefined, { path: '/ssl/explain' })).data.checks.find(
        ({ check }: { check: string }) => check === 'chain',
      )
    const plan = await panel.request('POST', `/api/websites/${id}/ssl?plan=1`, {
      as: ada,
      body: { method: 'upload', certificate: cert, key },
    })
    assert.match(plan.data.details.join(), warning)
    const alone = await upload(cert)
    assert.deepEqual(
      [alone.state, warning.test(alone.result?.warning)],
      ['succeeded', true],
      JSON.stringify(alone),
    )
    assert.match((await ask('GET', id)).data.warning, warning)
    assert.deepEqual([(await chainOf()).ok, warning.test((await chainOf()).message)], [false, true])
    await upload(cert + middle.cert + root.cert)
    assert.equal((await ask('GET', id)).data.warning, null)
    assert.equal((await chainOf()).ok, true)
    await issue(id, { method: 'self_signed' })
    assert.deepEqual([(await ask('GET', id)).data.warning, await chainOf()], [null, undefined])
  })

  it('are refused with 400 where they cannot be used, and belong to the owner alone', async () => {
    const id = await store('mine.example.com')
    const { cert, key } = await madeBy(undefined, { name: 'other.example.com', now })
    const upload = await ask('POST', id, { method: 'upload', certificate: cert, key })
    assert.deepEqual([upload.status, upload.error.code], [400, 'bad_request'])
    assert.match(upload.error.message, /not for mine\.example\.com/)
    const wild = await ask('POST', id, { names: ['*.mine.example.com'] })
    assert.match(
      wild.error.message,
      /^names: \*\.mine\.example\.com is a wildcard, which is proved by a DNS record/,
    )
    const foreign = await ask('POST', id, { names: ['victim.example.net'] })
    assert.match(foreign.error.message, /is not a name of this website/)
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal((await ask(method, id, method === 'POST' ? {} : undefined, { as: eve })).status, 404)
  })

  it('redirect to https and HSTS are fields of the website', async () => {
    const id = await store('hsts.example.com')
    const patch = (body: unknown) => ask('PATCH', id, body, { path: '' })
    const refused = await patch({ hsts: true })
    assert.match(refused.error.message, /^hsts: needs https_redirect/)
    assert.equal((await patch({ https_redirect: true, hsts: true })).data.https_redirect, true)
    assert.doesNotMatch((await fileOf('hsts.example.com')) ?? '', /301|Strict/)
    await issue(id, { method: 'self_signed' })
    assert.match((await fileOf('hsts.example.com')) ?? '', /return 301 https/)
    assert.match(
      (await fileOf('hsts.example.com')) ?? '',
      /Strict-Transport-Security max-age=31536000 always/,
    )
    assert.deepEqual(
      [(await ask('GET', id)).data.hsts, (await patch({ https_redirect: false })).status],
      [true, 400],
    )
  })

  it('stay as they are where the directory answers garbage, refuses, or never answers', async () => {
    const id = await store('ca.example.com')
    await issue(id, { method: 'self_signed' })
    const served = await fileOf('ca.example.com')
    const answers: [typeof answer, RegExp][] = [
      [() => ({ status: 200, text: '<html>' }), /./],
      [() => ({ status: 200, text: '{"newNonce":"http://10.1.2.3/"}' }), /./],
      [() => ({ status: 500, text: '' }), /500/],
      [() => undefined, /no answer within/],
    ]
    for (const [each, message] of answers) {
      answer = each
      const job = await issue(id, { method: 'acme' })
      assert.equal(job.state, 'failed')
      assert.match(job.error, message) // acme_failed, in the words of the authority
    }
    const { last_error, retry_at, method } = (await ask('GET', id)).data
    assert.deepEqual(
      [method, typeof last_error, Date.parse(retry_at) > Date.now()],
      ['self_signed', 'string', true],
    )
    assert.equal(await fileOf('ca.example.com'), served)
    assert.equal((await filesOf()).filter((name) => name.startsWith(`${id}-`)).length, 1)
    await issue(id, { method: 'self_signed' })
    assert.equal((await ask('GET', id)).data.last_error, null)
  })

  it('are ordered from the configured directory at an internal address, and from nothing else there that it links to', async () => {
    const id = await store('inside.example.com')
    const other = createServer((_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    let asked = 0
    other.on('request', () => asked++)
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    const links = { newNonce: elsewhere, newAccount: elsewhere, newOrder: elsewhere, renewalInfo: elsewhere }
    answer = () => ({ status: 200, text: JSON.stringify(links) })
    try {
      const job = await issue(id, { method: 'acme' })
      assert.equal(job.state, 'failed')
      assert.match(job.error, /127\.0\.0\.1:\d+ is refused: .* of the setting acme_directory alone/)
      const { certificates } = context()
      const asking = { ask: certificates.ask, signal: AbortSignal.timeout(60_000), now }
      await assert.rejects(askRenewalInfo(certificates.directory, 'id', asking), /acme_directory/)
      assert.equal(asked, 0)
    } finally {
      other.close()
    }
  })

  it('do not cover a wildcard that cannot be proved, which the status and explain name', async () => {
    const id = await store('base.example.com')
    const alias = insertRow('website_aliases', { name: '*.base.example.com', website_id: id })
    await panel.store.transaction((tx) => panel.store.write(tx, [alias]))
    answer = () => ({ status: 200, text: '{"newOrder":"x"}' })
    const plan = await ask('POST', id, {}, { path: '/ssl?plan=1' })
    const titles = plan.data.steps.map(({ title }: { title: string }) => title)
    assert.ok(titles.includes('Order a certificate for base.example.com'), titles.join())
    const asked = await ask('POST', id, { names: ['*.base.example.com'] })
    assert.match(asked.error.message, /is a wildcard, which is proved by a DNS record/)
    const { checks } = (await ask('GET', id, undefined, { path: '/ssl/explain' })).data
    const check = checks.find(({ name }: { name: string }) => name === '*.base.example.com')
    assert.match(check.message, /^\*\.base\.example\.com is not covered/)
    const { cert, key } = await madeBy(undefined, { name: 'base.example.com', now })
    await issue(id, { method: 'upload', certificate: cert, key })
    assert.deepEqual((await ask('GET', id)).data.uncovered, ['*.base.example.com'])
    await issue(id, { method: 'self_signed' })
    assert.deepEqual((await ask('GET', id)).data.uncovered, [])
  })

  it('are not ordered again before the time that the authority asks for', async () => {
    const id = await store('limited.example.com')
    answer = () => ({ status: 429, text: '{"detail":"slow down"}', headers: { 'retry-after': '7200' } })
    await issue(id, { method: 'acme' })
    const { retry_at } = (await ask('GET', id)).data
    assert.ok(Date.parse(retry_at) - Date.now() > 7_100_000)
  })

  it('are explained by checks, the first of which that fails is named', async () => {
    const id = await store('why.example.com')
    answer = (url) =>
      url === '/directory' ? { status: 200, text: '{"newOrder":"x"}' } : { status: 404, text: '' }
    const { data } = await ask('GET', id, undefined, { path: '/ssl/explain' })
    assert.equal(data.ok, false)
    assert.deepEqual([data.checks[0].check, data.checks[0].ok], ['resolves', true])
    assert.equal(data.failing.check, 'reachable')
    assert.equal(data.checks.at(-1).ok, true)
  })

  describe('renewals', () => {
    const dayMs = 86_400_000
    const never = new AbortController().signal
    const certify = async (id: number, renewAt: Date, daysLeft = 10) => {
      const row = websiteCertificates.row({
        website_id: id,
        method: 'acme',
        names: [`${id}.example.com`],
        issuer: 'Test',
        not_before: new Date(now.getTime() - 80 * dayMs).toISOString(),
        not_after: new Date(now.getTime() + daysLeft * dayMs).toISOString(),
        renew_at: renewAt.toISOString(),
      })
      await panel.store.transaction((tx) => panel.store.write(tx, [websiteCertificates.insert(row)]))
    }

    it('are queued once when they are due, and again when the authority may be asked again', async () => {
      answer = () => ({ status: 503, text: '', headers: { 'retry-after': '90000' } })
      const id = await store('due.example.com')
      await certify(id, new Date(now.getTime() - 1000))
      const { certificates } = context()
      assert.deepEqual(await queueRenewals(certificates, now, never), [id])
      assert.deepEqual(await queueRenewals(certificates, now, never), [])
      await until(async () => (await ask('GET', id)).data.last_error !== null)
      const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
      assert.deepEqual(await queueRenewals(certificates, later(24), never), [])
      assert.deepEqual(await queueRenewals(certificates, later(26), never), [id])
    })

    it('that are missing, and failures, are told to the owner', async () => {
      const later = new Date(now.getTime() + dayMs)
      const [soon, over] = [await store('soon.example.com'), await store('over.example.com')]
      await certify(soon, later, 2)
      await certify(over, later, -1)
      const { certificates } = context()
      const told = await readNotices(certificates, now)
      const titles = new Set(told.filter(({ to }) => to === ada.id).map(({ title }) => title))
      assert.ok(titles.has('The certificate of soon.example.com expires soon'))
      assert.ok(titles.has('The certificate of over.example.com has expired'))
      assert.ok(titles.has('No certificate could be issued for due.example.com'))
      assert.deepEqual(
        [(await ask('GET', soon)).data.state, (await ask('GET', over)).data.state],
        ['expiring', 'expired'],
      )
    })

    it('of 100 certificates are looked for with one query', async () => {
      const later = new Date(now.getTime() + dayMs)
      for (let count = 0; count < 100; count++) await certify(await store(`n${count}.example.com`), later)
      const { certificates } = context()
      const asked: string[] = []
      const queries = new Proxy(certificates.queries, {
        get: (target, name, receiver) => (asked.push(String(name)), Reflect.get(target, name, receiver)),
      })
      assert.deepEqual(await queueRenewals({ ...certificates, queries }, now, never), [])
      assert.deepEqual(asked, ['due'])
    })
  })
})
