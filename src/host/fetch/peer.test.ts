import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { createServer as createTcpServer, Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { openAddresses } from './addresses.ts'
import { openFetch } from './fetch.ts'
import { AddressRefused, FetchFailed, PeerUntrusted } from './problems.ts'
import { ask as request } from './request.ts'
import { makeCertificate } from './testing/certificate.ts'

describe('requests to another panel', () => {
  let server: Server
  let port: number
  let certificate: string
  let publicKey: string
  const requests: { readonly key: string | undefined; readonly method: string; readonly text: string }[] = []
  before(async () => {
    const pair = await makeCertificate('peer.test')
    certificate = pair.cert
    publicKey = pinOf(pair.cert)
    server = createServer(pair, async (request: IncomingMessage, response) => {
      let text = ''
      for await (const piece of request) text += piece
      requests.push({ key: request.headers.authorization, method: request.method ?? '', text })
      if (request.url === '/large') response.end('x'.repeat(5000))
      else response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/' }).end('{"ok":true}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const pinOf = (cert: string) => {
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(spki).digest('base64')
  }
  const addresses = openAddresses({ resolve: async () => ['127.0.0.1'], own: () => [] })
  const ask = (
    given: {
      readonly publicKey?: string
      readonly orTrusted?: boolean
      readonly path?: string
      readonly body?: object
      readonly text?: string
      readonly isAdmin?: boolean
    },
    ca?: string,
  ) =>
    openFetch(addresses, { connectMs: 5000, ...(ca !== undefined && { ca }) }).peer({
      url: `https://peer.test:${port}${given.path ?? '/'}`,
      asker: { isAdmin: given.isAdmin ?? true },
      headers: { authorization: 'Bearer k' },
      publicKey: given.publicKey ?? '',
      ...(given.orTrusted && { orTrusted: true }),
      ...(given.body && { body: given.body }),
      ...(given.text && { text: given.text }),
      maxBytes: 1000,
      signal: AbortSignal.timeout(60_000),
    })
  const fails = (kind: unknown, message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof Problem && error.kind === kind, String(error))
    assert.match(error.message, message)
    return true
  }

  it('send the key to the panel with the pinned public key, whoever signed its certificate', async () => {
    assert.deepEqual(await ask({ publicKey }), { status: 200, text: '{"ok":true}' })
    assert.deepEqual(requests.at(-1), { key: 'Bearer k', method: 'GET', text: '' })
    await ask({ publicKey, body: { a: 1 } })
    assert.deepEqual(requests.at(-1), { key: 'Bearer k', method: 'POST', text: '{"a":1}' })
    await ask({ publicKey, text: '{"as": 1e400}' })
    assert.deepEqual(requests.at(-1), { key: 'Bearer k', method: 'POST', text: '{"as": 1e400}' })
  })

  it('need no pin where the certificate is trusted', async () => {
    assert.equal((await ask({}, certificate)).status, 200)
    const another = `${'A'.repeat(43)}=`
    assert.equal((await ask({ publicKey: another, orTrusted: true }, certificate)).status, 200)
    await assert.rejects(ask({ publicKey: another }, certificate), fails(PeerUntrusted, /another public key/))
    await assert.rejects(
      ask({ publicKey: another, orTrusted: true }),
      fails(PeerUntrusted, /another public key/),
    )
  })

  it('send nothing to a panel with another public key or an untrusted certificate, and tell the key found', async () => {
    const before = requests.length
    const found = publicKey.replaceAll(/[+/]/g, '\\$&')
    await assert.rejects(ask({ publicKey: `${'A'.repeat(43)}=` }), fails(PeerUntrusted, /another public key/))
    await assert.rejects(ask({}), fails(PeerUntrusted, new RegExp(`not trusted here .*${found}`)))
    const other = await makeCertificate('other.test')
    await assert.rejects(ask({}, other.cert), fails(PeerUntrusted, /not trusted here/))
    assert.equal(requests.length, before)
  })

  it('follow no redirect, and refuse long answers and addresses that the caller may not reach', async () => {
    assert.equal((await ask({ publicKey, path: '/moved' })).status, 302)
    await assert.rejects(ask({ publicKey, path: '/large' }), fails(FetchFailed, /limit is 1000 bytes/))
    await assert.rejects(ask({ publicKey, isAdmin: false }), fails(AddressRefused, /only superusers/))
  })

  it('fail where the connection is closed once it is open', async () => {
    const pair = await makeCertificate('peer.test')
    const closing = createServer(pair)
    closing.on('secureConnection', (socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(closing, 'listening')
    const { port: closingPort } = closing.address() as { port: number }
    const wanted = { asker: { isAdmin: true }, headers: {}, publicKey: pinOf(pair.cert), maxBytes: 1000 }
    const asked = openFetch(addresses).peer({
      ...wanted,
      url: `https://peer.test:${closingPort}/`,
      signal: AbortSignal.timeout(60_000),
    })
    await assert.rejects(asked, fails(FetchFailed, /connection was closed/))
    closing.close()
  })

  it('a connection that is closed takes no request', async () => {
    const socket = new Socket()
    socket.destroy()
    const url = new URL('https://peer.test/')
    const pinned = { host: 'peer.test', port: 443, address: '127.0.0.1', family: 4 } as const
    const limits = { connectMs: 60_000, stallMs: 60_000 }
    await assert.rejects(
      request({ url, pinned, limits, signal: undefined, socket }),
      fails(FetchFailed, /connection was closed/),
    )
  })

  it('fail with the reason where no panel answers, and end when they are cancelled', async () => {
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port: silentPort } = silent.address() as { port: number }
    const wanted = { asker: { isAdmin: true }, headers: {}, publicKey, maxBytes: 1000 }
    const fetch = openFetch(addresses, { connectMs: 50 })
    const url = `https://peer.test:${silentPort}/`
    await assert.rejects(
      fetch.peer({ ...wanted, url, signal: AbortSignal.timeout(60_000) }),
      fails(FetchFailed, /no answer within/),
    )
    const stopping = new AbortController()
    const asked = openFetch(addresses).peer({ ...wanted, url, signal: stopping.signal })
    stopping.abort(new Error('stopped'))
    await assert.rejects(asked, /stopped/)
    silent.close()
    await assert.rejects(
      fetch.peer({ ...wanted, url: 'https://peer.test:1/', signal: AbortSignal.timeout(60_000) }),
      fails(FetchFailed, /refused/),
    )
  })
})
