import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openSample } from './testing/sample.ts'

describe('a changing request without an Authorization header', () => {
  let sample: Awaited<ReturnType<typeof openSample>>
  let behindProxy: Awaited<ReturnType<typeof openSample>>
  before(async () => {
    sample = await openSample()
    behindProxy = await openSample(['127.0.0.1'])
  })
  after(async () => {
    for (const { http, store } of [sample, behindProxy]) {
      await http.stop(0)
      await store.close()
    }
  })

  const send = async (
    headers: Record<string, string>,
    { path = '/boxes', method = 'POST', to = sample } = {},
  ) =>
    to.app.inject({
      method: method as 'POST',
      url: `/api${path}`,
      headers: { host: 'panel.example:7070', ...headers },
    })

  for (const [from, headers] of [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another host', { origin: 'http://evil.example' }],
    ['another port of this host', { origin: 'http://panel.example' }],
    ['a subdomain of this host', { origin: 'http://www.panel.example:7070' }],
    ['a page without an origin', { origin: 'null' }],
    ['an origin that cannot be read', { origin: 'panel.example:7070' }],
  ] satisfies [string, Record<string, string>][])
    it(`is 403 from ${from}`, async () => {
      const answer = await send(headers)
      assert.deepEqual([answer.statusCode, answer.json().error.code], [403, 'forbidden'])
      assert.match(answer.json().error.message, /another site/)
    })

  for (const [from, headers] of [
    ['a client that is no browser', {}],
    ['the panel’s own page', { origin: 'http://panel.example:7070' }],
    ['the panel’s own page behind a proxy that ends TLS', { origin: 'https://panel.example:7070' }],
    [
      'its own page behind a proxy that changes the host',
      { origin: 'https://other.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['a user who typed the address', { 'sec-fetch-site': 'none' }],
  ] satisfies [string, Record<string, string>][])
    it(`goes on to the guard from ${from}`, async () => {
      assert.equal((await send(headers)).statusCode, 401)
    })

  it('is compared with what a trusted proxy says of host and scheme', async () => {
    const forwarded = { 'x-forwarded-host': 'www.example', 'x-forwarded-proto': 'https' }
    const to = behindProxy
    assert.equal((await send({ ...forwarded, origin: 'https://www.example' }, { to })).statusCode, 401)
    assert.equal((await send({ ...forwarded, origin: 'http://www.example' }, { to })).statusCode, 403)
    assert.equal((await send({ ...forwarded, origin: 'http://panel.example:7070' }, { to })).statusCode, 403)
  })

  it('is refused before the guard and the input, after the path and the method, with a code in every area', async () => {
    const headers = { origin: 'http://evil.example' }
    assert.equal((await send(headers, { path: '/nowhere' })).statusCode, 404)
    assert.equal((await send(headers, { method: 'PUT' })).statusCode, 405)
    for (const path of ['/quiet', '/plain'])
      assert.equal((await send(headers, { path })).json().error.code, 'forbidden')
  })

  it('is not looked at where it has an Authorization header, or only reads', async () => {
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await send({ ...headers, authorization: 'Bearer ada' })).statusCode, 400)
    assert.equal((await send(headers, { method: 'GET' })).statusCode, 401)
  })
})
