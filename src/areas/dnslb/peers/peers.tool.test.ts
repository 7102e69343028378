import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { makeCertificate } from '../../../host/fetch/testing/certificate.ts'
import {
  type DrivenDnsdist,
  dnsdistSkipReason,
  startDrivenDnsdist,
} from '../../../tools/dnsdist/testing/scratch.ts'

describe('dnslb of several panels with the real dnsdist', { skip: dnsdistSkipReason() }, () => {
  let [source, target]: DrivenDnsdist[] = []
  let [first, second]: TestPanel[] = []
  let keeper: Person
  let listener: Server
  let draft: { name: string; host: string; port: number; api_key: string; public_key: string }
  before(async () => {
    source = await startDrivenDnsdist()
    target = await startDrivenDnsdist()
    first = await openTestPanel({ dnsdist: source.options })
    second = await openTestPanel({ dnsdist: target.options })
    keeper = await first.person({ permissions: ['administrative_operations'] })
    await second.app.ready()
    const { app } = second
    const pair = await makeCertificate('localhost')
    listener = createServer(pair, (request, reply) => app.routing(request, reply)).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as { port: number }
    const spki = new X509Certificate(pair.cert).publicKey.export({ type: 'spki', format: 'der' })
    const public_key = createHash('sha256').update(spki).digest('base64')
    draft = {
      name: 'second',
      host: '127.0.0.1',
      port,
      api_key: await keyOf(['administrative_operations']),
      public_key,
    }
    const server = { name: 'own', ...target.backend, mode: 'up' }
    const { status } = await second.request('POST', '/api/dnslb/servers', { as: second.admin, body: server })
    assert.equal(status, 200)
  })
  after(async () => {
    listener?.closeAllConnections()
    listener?.close()
    await first?.close()
    await second?.close()
    await source?.stop()
    await target?.stop()
  })

  const keyOf = async (permissions: readonly 'administrative_operations'[]): Promise<string> => {
    const as = await second!.person({ permissions })
    const { status, data, text } = await second!.request('POST', '/api/auth/api-keys', {
      as,
      body: { name: 'k' },
    })
    assert.ok(status < 300, text)
    return data.key
  }
  const ask = (method: string, path: string, body?: unknown, as: Person = first!.admin) =>
    first!.request(method, `/api/dnslb${path}`, { as, ...(body !== undefined && { body }) })
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(method, path, body)
    assert.ok(status < 300, text)
    return data
  }

  test('adds a panel, replaces its lists as dig sees there, and removes it', async () => {
    const added = await must('POST', '/multi-servers', draft)
    assert.match(added.api_key, /•/)
    assert.deepEqual([added.status, added.last_sync], ['active', null])
    await must('POST', '/domain-lists', { name: 'ads', action: 'block', domains: 'ads.test' })
    await must('POST', '/address-lists', { name: 'foes', action: 'block', addresses: ['127.3.0.1'] })
    assert.equal(await target!.dig('www.ads.test'), 'NOERROR')
    const planned = await must('POST', `/multi-servers/${added.id}/sync?plan=1`)
    assert.match(JSON.stringify(planned), /Replace the lists of second by the 2 of this panel/)
    assert.equal(await target!.dig('www.ads.test'), 'NOERROR')
    assert.deepEqual(await must('POST', `/multi-servers/${added.id}/sync`), { success: true, message: '' })
    assert.equal(await target!.dig('www.ads.test'), 'NXDOMAIN')
    assert.equal(await target!.dig('www.example', '127.3.0.1'), 'REFUSED')
    await must('DELETE', '/domain-lists/ads')
    const { results } = await must('POST', '/multi-servers/sync-all')
    assert.deepEqual(results, [{ server_id: added.id, name: 'second', success: true, message: '' }])
    assert.equal(await target!.dig('www.ads.test'), 'NOERROR')
    const { json } = await ask('GET', '/multi-servers', undefined, keeper)
    assert.notEqual(json.servers[0].last_sync, null)
    assert.ok(!JSON.stringify(json).includes(draft.api_key))
    await must('DELETE', `/multi-servers/${added.id}`)
    assert.deepEqual((await ask('GET', '/multi-servers')).json.servers, [])
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/sync'],
      ['POST', '/test'],
    ] as const)
      assert.equal((await ask(method, `/multi-servers/${added.id}${path}`)).status, 404)
  })

  test('tests a panel, and keeps why it could not be reached', async () => {
    const { id } = await must('POST', '/multi-servers', draft)
    assert.deepEqual(await must('POST', `/multi-servers/${id}/test`), { status: 'active', message: '' })
    await second!.request('POST', '/api/dnslb/address-lists', {
      as: second!.admin,
      body: { name: 'theirs', action: 'block', addresses: [] },
    })
    const { port } = listener.address() as { port: number }
    listener.closeAllConnections()
    listener.close()
    await once(listener, 'close')
    const tested = await must('POST', `/multi-servers/${id}/test`)
    assert.equal(tested.status, 'error')
    assert.match(tested.message, /refused/)
    const pushed = await must('POST', `/multi-servers/${id}/sync`)
    assert.equal(pushed.success, false)
    assert.match(pushed.message, /refused/)
    const [server] = (await ask('GET', '/multi-servers')).json.servers
    assert.deepEqual([server.status, server.last_sync], ['error', null])
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    await must('DELETE', `/multi-servers/${id}`)
  })

  test('quotes why a panel does not take the lists of a key without the permission', async () => {
    const { id } = await must('POST', '/multi-servers', { ...draft, name: 'weak', api_key: await keyOf([]) })
    const { success, message } = await must('POST', `/multi-servers/${id}/sync`)
    assert.equal(success, false)
    assert.match(message, /^it answered 403: /)
    await must('DELETE', `/multi-servers/${id}`)
  })

  test('refuses a panel that is not the expected one, a wrong key, and what is taken or invalid', async () => {
    const { id } = await must('POST', '/multi-servers', draft)
    for (const [change, status, code, message] of [
      [{ name: 'x', port: 1 }, 502, 'unreachable', /host: 127.0.0.1: .*refused/],
      [{ name: 'x', host: 'localhost', public_key: '' }, 502, 'unreachable', /not trusted here.*SHA-256/],
      [
        { name: 'x', host: 'localhost', public_key: `${'A'.repeat(43)}=` },
        502,
        'unreachable',
        /another public key/,
      ],
      [{ name: 'x', host: 'localhost', api_key: 'bap_wrong' }, 502, 'unreachable', /refused the API key/],
      [{ host: 'localhost' }, 409, 'conflict', /name: there is a server second/],
      [{ name: 'x' }, 409, 'conflict', /host: the server second has this host and port/],
      [{ name: ' ' }, 400, 'bad_request', /name: must not be empty/],
      [{ name: 'x', host: 'https://x/' }, 400, 'bad_request', /host: must be a host name/],
      [{ name: 'x', host: 'a".."b' }, 400, 'bad_request', /host: must be a host name/],
      [{ name: 'x', api_key: 'a b' }, 400, 'bad_request', /api_key: must be a key/],
      [{ name: 'x', api_key: 'a\r\nb: c' }, 400, 'bad_request', /api_key/],
      [{ name: 'x', port: 70_000 }, 400, 'bad_request', /port/],
      [{ name: 'x', public_key: 'short' }, 400, 'bad_request', /public_key: .*44 characters/],
    ] as const) {
      const answer = await ask('POST', '/multi-servers', { ...draft, ...change })
      assert.deepEqual([answer.status, answer.error?.code], [status, code], answer.text)
      assert.match(answer.error.message, message)
    }
    await must('DELETE', `/multi-servers/${id}`)
  })

  test('internal addresses are for superusers, and all of it for those with the permission', async () => {
    const refused = await ask('POST', '/multi-servers', draft, keeper)
    assert.equal(refused.status, 502)
    assert.match(refused.error.message, /only superusers may reach internal addresses/)
    const stranger = await first!.person({ permissions: [] })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/sync-all'],
      ['DELETE', '/1'],
      ['POST', '/1/sync'],
      ['POST', '/1/test'],
    ] as const) {
      const body = method === 'POST' && path === '' ? draft : undefined
      assert.equal((await ask(method, `/multi-servers${path}`, body, stranger)).status, 403)
    }
  })
})
