import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { after, afterEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { openAddresses } from './addresses.ts'
import { openFetch, type FetchOptions } from './fetch.ts'
import type { Wanted } from './wanted.ts'
import { AddressRefused, FetchFailed, HostNotFound, UrlInvalid } from './problems.ts'
import { readUrl, shownUrl } from './url.ts'
import { makeCertificate } from './testing/certificate.ts'

const servers: (Server | TcpServer)[] = []
const sockets = new Set<Socket>()
const listen = async (server: Server | TcpServer): Promise<number> => {
  servers.push(server)
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const serve = (listener: RequestListener) => listen(createServer(listener))
/** Answers with exactly these bytes. */
const say = (text: string, { hold = false } = {}) =>
  listen(
    createTcpServer(
      (socket) => void socket.once('data', () => (hold ? socket.write(text) : socket.end(text))),
    ),
  )

const superuser = { isAdmin: true }
const names: Record<string, string[]> = { 'files.test': ['127.0.0.1'], 'inside.test': ['127.0.0.1'] }
const door = (options: FetchOptions = {}, allow: string[] = []) =>
  openFetch(
    openAddresses({
      allow,
      own: () => [],
      resolve: async (name) => names[name] ?? Promise.reject(Object.assign(new Error(), { syscall: 'x' })),
    }),
    options,
  )
const get = async (wanted: Partial<Wanted> & { readonly url: string }, options: FetchOptions = {}) => {
  const { stream, ...rest } = await door(options).open({ asker: superuser, maxBytes: 1e6, ...wanted })
  return { text: (await buffer(stream)).toString(), ...rest }
}
const fails = (kind: unknown, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem && error.kind === kind, String(error))
  assert.match(error.message, message)
  return true
}

describe('downloads', () => {
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  })
  after(() => servers.forEach((server) => server.close()))

  it('return the bytes, their number and their version', async () => {
    let host: string | undefined
    const port = await serve((request, response) => {
      host = request.headers.host
      response.setHeader('etag', '"one"').end(`you asked ${request.url}`)
    })
    const found = await get({ url: `http://files.test:${port}/a%20b?token=1#part` })
    assert.deepEqual(found, {
      text: 'you asked /a%20b?token=1',
      offset: 0,
      sizeBytes: 24,
      validator: '"one"',
    })
    assert.equal(host, `files.test:${port}`)
  })

  it('accept IPv4 and IPv6 addresses', async () => {
    const server = createServer((request, response) => void response.end(request.headers.host))
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
    const { port } = server.address() as AddressInfo
    assert.equal((await get({ url: `http://[::1]:${port}/` })).text, `[::1]:${port}`)
  })

  it('are not decompressed', async () => {
    const port = await serve((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('text')),
    )
    const { stream } = await door().open({
      url: `http://files.test:${port}/`,
      asker: superuser,
      maxBytes: 1e6,
    })
    assert.deepEqual(await buffer(stream), gzipSync('text'))
  })

  it('resolve a name once, and connect to that address', async () => {
    const port = await serve((_request, response) => response.end('right'))
    const answers = [['127.0.0.1'], ['192.0.2.1']] // the second time it would lead elsewhere
    const addresses = openAddresses({ own: () => [], resolve: async () => answers.shift() ?? [] })
    const { stream } = await openFetch(addresses).open({
      url: `http://rebound.test:${port}/`,
      asker: superuser,
      maxBytes: 99,
    })
    assert.equal((await buffer(stream)).toString(), 'right')
    assert.equal(answers.length, 1)
  })

  it('refuse internal addresses to callers who are not superusers, also behind a redirect', async () => {
    const port = await serve((request, response) =>
      request.url === '/'
        ? response.writeHead(302, { location: `http://127.0.0.2:${port}/secret` }).end()
        : response.end('secret'),
    )
    const everybody = { asker: { isAdmin: false } }
    await assert.rejects(
      get({ url: `http://inside.test:${port}/`, ...everybody }),
      fails(AddressRefused, /inside\.test resolves to an address that is refused/),
    )
    await assert.rejects(
      get({ url: `http://[::ffff:127.0.0.1]:${port}/`, ...everybody }),
      fails(AddressRefused, /is refused/),
    )
    await assert.rejects(
      get({ url: `http://2130706433:${port}/`, ...everybody }),
      fails(AddressRefused, /127\.0\.0\.1 is refused/),
    )
    const allowing = door({}, ['127.0.0.1'])
    await assert.rejects(
      allowing.open({ url: `http://inside.test:${port}/`, maxBytes: 99, ...everybody }),
      fails(AddressRefused, /127\.0\.0\.2 is refused/),
    )
  })

  it('follow five redirects and no more', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      return left === 0 ? response.end('there') : response.writeHead(307, { location: `/${left - 1}` }).end()
    })
    assert.equal((await get({ url: `http://files.test:${port}/5` })).text, 'there')
    await assert.rejects(
      get({ url: `http://files.test:${port}/6` }),
      fails(FetchFailed, /more than 5 redirects/),
    )
  })

  it('refuse redirects to other schemes, with credentials, and to nowhere', async () => {
    const port = await serve((request, response) =>
      response.writeHead(302, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end(),
    )
    for (const location of ['file:///etc/passwd', 'gopher://files.test/', 'http://user:pass@files.test/'])
      await assert.rejects(
        get({ url: `http://files.test:${port}/${encodeURIComponent(location)}` }),
        fails(FetchFailed, /redirects to a URL that is refused: url: must/),
      )
    await assert.rejects(
      get({ url: `http://files.test:${port}/` }),
      fails(FetchFailed, /without saying where|no URL|more than 5/),
    )
  })

  it('refuse URLs of other schemes and with credentials', () => {
    for (const [url, expected] of [
      ['ftp://files.test/x', /http:\/\/ or https:\/\//],
      ['file:///etc/passwd', /http/],
      ['http://user@files.test/', /user name/],
      ['http://:secret@files.test/', /password/],
      ['files.test/x', /^url: must/],
      [`http://files.test/${'x'.repeat(9000)}`, /at most 8192/],
    ] as const)
      assert.throws(() => readUrl(url), fails(UrlInvalid, expected))
  })

  it('leave the query out of messages', () => {
    assert.equal(
      shownUrl(readUrl('https://files.test/a/b?token=secret#x')),
      'https://files.test/a/b?••••••••',
    )
    assert.equal(shownUrl(readUrl('http://files.test:81/a')), 'http://files.test:81/a')
  })

  it('fail on any status other than 200', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end('not here'))
    await assert.rejects(get({ url: `http://files.test:${port}/x?token=secret` }), (error: Error) => {
      assert.ok(!error.message.includes('secret'))
      return fails(FetchFailed, /the server answered 404/)(error)
    })
  })

  it('fail when the host is unreachable', async () => {
    const server = createTcpServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    await assert.rejects(
      get({ url: `http://files.test:${port}/` }),
      fails(FetchFailed, /the connection was refused/),
    )
    await assert.rejects(
      get({ url: 'http://unknown.test/' }),
      fails(HostNotFound, /unknown\.test cannot be resolved/),
    )
  })

  it('fail when the server declares more bytes than it sends', async () => {
    const port = await say('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort')
    await assert.rejects(
      get({ url: `http://files.test:${port}/` }),
      fails(FetchFailed, /the connection was closed/),
    )
  })

  it('end at the declared size, whatever follows', async () => {
    const port = await say('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright and more')
    assert.equal((await get({ url: `http://files.test:${port}/` })).text, 'right')
  })

  it('fail beyond the size limit, declared or not', async () => {
    const told = await serve((_request, response) =>
      response.setHeader('content-length', '2000').end(Buffer.alloc(2000)),
    )
    await assert.rejects(
      get({ url: `http://files.test:${told}/`, maxBytes: 1999 }),
      fails(FetchFailed, /has 2000 bytes, the limit is 1999/),
    )
    const endless = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
        response.once('drain', more)
      }
      more()
    })
    await assert.rejects(
      get({ url: `http://files.test:${endless}/`, maxBytes: 1e7 }),
      fails(FetchFailed, /sends more, the limit is 10000000/),
    )
  })

  it('fail when the server does not answer, or stops in the middle', async () => {
    const silent = await listen(createTcpServer(() => {}))
    await assert.rejects(
      get({ url: `http://files.test:${silent}/` }, { connectMs: 50 }),
      fails(FetchFailed, /no answer within 0\.05 s/),
    )
    const stalls = await say('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', { hold: true })
    await assert.rejects(
      get({ url: `http://files.test:${stalls}/` }, { stallMs: 50 }),
      fails(FetchFailed, /sent nothing for 0\.05 s/),
    )
  })

  it('fail when the server sends a byte now and then', async () => {
    const port = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    })
    await assert.rejects(
      get({ url: `http://files.test:${port}/` }, { stallMs: 100 }),
      fails(FetchFailed, /less than 512 bytes a second for 0\.1 s/),
    )
  })

  it('are cancelled with the reason of the signal', async () => {
    const ending = new AbortController()
    const stalls = await say('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', { hold: true })
    const { stream } = await door().open({
      url: `http://files.test:${stalls}/`,
      asker: superuser,
      maxBytes: 99,
      signal: ending.signal,
    })
    ending.abort(new Error('cancelled by hand'))
    await assert.rejects(buffer(stream), /cancelled by hand/)
  })

  it('refuse a response that is not HTTP', async () => {
    const port = await say('SSH-2.0-OpenSSH_9.2\r\n')
    await assert.rejects(get({ url: `http://files.test:${port}/` }), fails(FetchFailed, /cannot be read/))
  })

  it('resume an interrupted download, or start again', async () => {
    const port = await serve((request, response) => {
      response.setHeader('etag', '"v1"')
      if (request.headers['if-range'] !== '"v1"') return response.end('0123456789')
      return response.writeHead(206, { 'content-range': 'bytes 4-9/10', 'content-length': '6' }).end('456789')
    })
    const url = `http://files.test:${port}/`
    assert.deepEqual(await get({ url, from: { offset: 4, validator: '"v1"' } }), {
      text: '456789',
      offset: 4,
      sizeBytes: 10,
      validator: '"v1"',
    })
    assert.equal((await get({ url, from: { offset: 4, validator: '"v0"' } })).offset, 0)
    const ended = await serve((_request, response) =>
      response.writeHead(416, { 'content-range': 'bytes */10' }).end(),
    )
    assert.equal(
      (await get({ url: `http://files.test:${ended}/`, from: { offset: 10, validator: '"v1"' } })).text,
      '',
    )
    await assert.rejects(
      get({ url, from: { offset: 5, validator: '"v1"' } }),
      fails(FetchFailed, /a different part/),
    )
    for (const range of ['bytes 4-7/10', 'bytes 4-9', 'bytes 4-']) {
      const other = await serve((_request, response) =>
        response.writeHead(206, { 'content-range': range, 'content-length': '6' }).end('456789'),
      )
      await assert.rejects(
        get({ url: `http://files.test:${other}/`, from: { offset: 4, validator: '"v1"' } }),
        fails(FetchFailed, /a different part/),
        range,
      )
    }
  })

  it('check the certificate against the name', async () => {
    const mine = await makeCertificate('files.test')
    const port = await listen(
      createTlsServer({ key: mine.key, cert: mine.cert }, (_request, response) => response.end('safe')),
    )
    const url = `https://files.test:${port}/`
    await assert.rejects(get({ url }), fails(FetchFailed, /cannot be trusted: self-signed certificate/))
    assert.equal((await get({ url }, { ca: mine.cert })).text, 'safe')
    await assert.rejects(
      get({ url: `https://inside.test:${port}/` }, { ca: mine.cert }),
      fails(FetchFailed, /does not match certificate/),
    )
  })
})
