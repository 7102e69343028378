import assert from 'node:assert/strict'
import { chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { Problem } from '../../core/problem.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { run } from '../../host/run.ts'
import { hashPassword, renderPasswords } from '../nginx/passwords.ts'
import { goldenSites } from '../nginx/golden/sites.ts'
import type { NginxSite } from '../nginx/site.ts'
import { readTraffic } from '../nginx/traffic.ts'
import { lacks } from './lacks.ts'
import { sitePathIn } from './layout.ts'
import { renderSite } from './render-site.ts'
import { apacheSkipReason, makeScratchApache, type ScratchApache } from './testing/scratch.ts'

const options = {
  isInMaintenance: false,
  redirects: [],
  errorPages: [],
  directives: [],
  protectedFolders: [],
}

describe('the real Apache', { skip: apacheSkipReason() ?? false }, () => {
  let scratch: ScratchApache
  let upstream: Server
  let upstreamPort = 0
  before(async () => {
    scratch = await makeScratchApache()
    await scratch.apache.setUp()
    upstream = createServer((asked, response) => {
      response.setHeader('content-type', 'application/json')
      asked.resume().on('end', () => {
        response.end(JSON.stringify({ url: asked.url, headers: asked.headers }))
      })
    })
    upstream.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.on('data', (data) => socket.write(`echo ${data}`))
      socket.on('end', () => socket.end())
      socket.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const address = upstream.address()
    upstreamPort = typeof address === 'object' && address !== null ? address.port : 0
  })
  after(async () => {
    await scratch?.stop()
    upstream?.close()
    upstream?.closeAllConnections()
  })

  const siteOf = (domain: string, changes: Partial<NginxSite> = {}): NginxSite => ({
    id: 1,
    domain,
    aliases: [],
    type: 'static',
    root: `${scratch.directory}/www/${domain}`,
    isSuspended: false,
    certificate: null,
    redirectsToHttps: false,
    hasHsts: false,
    ...changes,
  })
  const write = async (site: NginxSite, path: string, content: string) => {
    const file = `${site.root}/${path}`
    await mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true })
    await writeFile(file, content)
  }
  const serve = async (...sites: readonly NginxSite[]) => {
    for (const { domain } of sites)
      await mkdir(`${scratch.layout.shared.logsDirectory}/${domain}`, { recursive: true })
    await scratch.host.apply(
      scratch.apache.tool,
      sites.map((site) => ({
        path: sitePathIn(scratch.layout, site.domain),
        content: scratch.apache.renderSite(site),
      })),
    )
  }
  const post = (size: number, framing: Readonly<Record<string, string>>) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const { http: port } = scratch.layout.ports
    const headers = { host: 'app.example.com', ...framing }
    const query = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    query.on('error', reject)
    query.end('x'.repeat(size)) // an answer that comes first resolves, whatever becomes of the rest
    return promise
  }
  const statusOf = async (name: string, path = '/') => (await scratch.get(name, path)).status

  it('is set up, healthy, and answers unknown names with 404', async () => {
    assert.deepEqual(
      { ...(await scratch.apache.detect()), version: '' },
      { present: true, version: '', healthy: true, reason: null },
    )
    assert.deepEqual(await statusOf('nobody.example.com'), 404)
    assert.match((await scratch.get('nobody.example.com')).body, /no such website/)
    assert.equal((await scratch.getTls('nobody.example.com')).status, 404)
  })

  it('accepts every golden site that it can serve', async () => {
    for (const [name, site] of Object.entries(goldenSites)) {
      if (lacks(site).length > 0 || site.certificate !== null) continue
      const content = renderSite(site, scratch.layout)
      const path = sitePathIn(scratch.layout, site.domain)
      const prepared = await scratch.host.files.prepare(path, content)
      const { preparedPath } = prepared
      const message = await scratch.apache.tool.check([{ path, preparedPath, content }])
      await prepared.discard()
      assert.equal(message, undefined, name)
    }
  })

  it('serves files, folders with an index, and no hidden file or link to what another owns', async () => {
    const site = siteOf('static.example.com', { aliases: ['www.static.example.com'] })
    await write(site, 'index.html', 'home')
    await write(site, 'sub/index.html', 'sub')
    await write(site, 'empty/a.txt', 'a')
    await write(site, '.env', 'secret')
    await write(site, 'app.mjs', 'export {}')
    await writeFile(`${scratch.directory}/other`, 'of root')
    await symlink(`${scratch.directory}/other`, `${site.root}/link`)
    await run(['chown', '-h', 'nobody', `${site.root}/link`])
    await serve(site)
    for (const name of ['static.example.com', 'www.static.example.com'])
      assert.equal((await scratch.get(name)).body, 'home')
    assert.equal((await scratch.get('static.example.com', '/sub/')).body, 'sub')
    assert.match(
      (await scratch.get('static.example.com', '/app.mjs')).headers['content-type'] ?? '',
      /javascript/,
    )
    for (const [path, status] of [
      ['/sub', 301],
      ['/empty/', 403],
      ['/missing', 404],
      ['/.env', 404],
      ['/link', 403],
    ] as const)
      assert.equal(await statusOf('static.example.com', path), status, path)
  })

  it('writes logs that the traffic of websites is read from', async () => {
    const log = `${scratch.layout.shared.logsDirectory}/static.example.com/access.log`
    await scratch.get('static.example.com', '/?q="x"', { 'user-agent': 'a "quoted" \\ agent' })
    await until(async () => (await readFile(log, 'utf8')).includes('quoted')) // an answer precedes its line
    assert.match(await readFile(log, 'utf8'), / \d+ms\n$/)
    const { hours } = await readTraffic(log, null, AbortSignal.timeout(60_000))
    const [hour] = [...hours.values()]
    assert.equal(hour?.requests, (await readFile(log, 'utf8')).trim().split('\n').length)
  })

  it('redirects exact paths with their target as it was given', async () => {
    await serve(
      siteOf('moved.example.com', {
        options: {
          ...options,
          redirects: [
            { from: '/old "page" (1)', to: '/new%20page?x=1&y=%2F#top', code: 302 },
            { from: '/away', to: 'https://example.org/a', code: 301 },
          ],
        },
      }),
    )
    const moved = await scratch.get('moved.example.com', '/old%20%22page%22%20(1)?lost=1')
    assert.equal(moved.status, 302)
    assert.match(moved.headers.location ?? '', /\/new%20page\?x=1&y=%2F#top$/)
    const away = await scratch.get('moved.example.com', '/away')
    assert.deepEqual([away.status, away.headers.location], [301, 'https://example.org/a'])
    assert.equal(await statusOf('moved.example.com', '/away/further'), 404)
  })

  it('answers the challenges for a name that is no site, and nothing else', async () => {
    await writeFile(`${scratch.layout.shared.challengesDirectory}/own-token`, 'proof')
    const path = sitePathIn(scratch.layout, 'hostreeve-panel')
    const apply = (content: string | null) => scratch.host.apply(scratch.apache.tool, [{ path, content }])
    await apply(scratch.apache.renderChallenges('panel.example.com'))
    const at = (asked: string) => scratch.get('panel.example.com', asked)
    assert.equal((await at('/.well-known/acme-challenge/own-token')).body, 'proof')
    assert.deepEqual([(await at('/')).status, (await at('/own-token')).status], [404, 404])
    await apply(null)
    assert.equal((await at('/.well-known/acme-challenge/own-token')).status, 404)
  })

  it('answers challenges of any site, and names it', async () => {
    const { challengesDirectory } = scratch.layout.shared
    await writeFile(`${challengesDirectory}/token`, 'proof')
    const protectedFolders = [{ folder: '/', file: '/dev/null' }]
    await serve(
      siteOf('asleep.example.com', { id: 7, isSuspended: true }),
      siteOf('locked.example.com', { id: 8, options: { ...options, protectedFolders } }),
    )
    for (const [name, id] of [
      ['asleep.example.com', 7],
      ['locked.example.com', 8],
    ] as const) {
      assert.equal((await scratch.get(name, '/.well-known/acme-challenge/token')).body, 'proof')
      assert.equal((await scratch.get(name, '/.well-known/acme-challenge/hostreeve')).body, `website ${id}`)
    }
    assert.deepEqual([await statusOf('asleep.example.com'), await statusOf('locked.example.com')], [503, 401])
    assert.match((await scratch.get('asleep.example.com')).body, /suspended/)
  })

  it('asks for the passwords of folders, which nginx has hashed', async () => {
    const file = `${scratch.directory}/users`
    await writeFile(file, renderPasswords([{ username: 'ada', hash: await hashPassword(run, 'open it') }]))
    await chown(file, 0, 33)
    const site = siteOf('secret.example.com', {
      options: { ...options, protectedFolders: [{ folder: '/admin/', file }] },
    })
    await write(site, 'admin/index.html', 'inside')
    await write(site, 'index.html', 'outside')
    await serve(site)
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    assert.equal(await statusOf('secret.example.com'), 200)
    assert.equal(await statusOf('secret.example.com', '/admin/'), 401)
    assert.equal(await statusOf('secret.example.com', '//admin/index.html'), 401)
    assert.equal((await scratch.get('secret.example.com', '/admin/', basic('ada:wrong'))).status, 401)
    assert.equal((await scratch.get('secret.example.com', '/admin/', basic('ada:open it'))).body, 'inside')
  })

  it('serves over TLS, with a redirect and HSTS', async () => {
    const { cert, key } = await createSelfSigned(
      'tls.example.com',
      [{ type: 'dns', value: 'tls.example.com' }],
      new Date(),
    )
    await writeFile(`${scratch.layout.shared.certificatesDirectory}/1-a.pem`, `${cert}\n${key}`)
    const site = siteOf('tls.example.com', { certificate: '1-a.pem', redirectsToHttps: true, hasHsts: true })
    await write(site, 'index.html', 'secure')
    await serve(site)
    const plain = await scratch.get('tls.example.com', '/a%20b?c=1')
    assert.deepEqual([plain.status, plain.headers.location], [301, 'https://tls.example.com/a%20b?c=1'])
    const encoded = await scratch.get('tls.example.com', '/a%2Fb%3Fc')
    assert.deepEqual([encoded.status, encoded.headers.location], [301, 'https://tls.example.com/a%2Fb%3Fc'])
    const secure = await scratch.getTls('tls.example.com')
    assert.deepEqual(
      [secure.body, secure.headers['strict-transport-security']],
      ['secure', 'max-age=31536000'],
    )
  })

  it('serves an exact name of one site before the wildcard of another', async () => {
    const wild = siteOf('a-wild.example', { aliases: ['*.wild.example'] })
    const exact = siteOf('shop.wild.example')
    await write(wild, 'index.html', 'wild')
    await write(exact, 'index.html', 'exact')
    await serve(wild, exact)
    assert.equal((await scratch.get('any.wild.example')).body, 'wild')
    assert.equal((await scratch.get('shop.wild.example')).body, 'exact')
  })

  it('forwards requests as they are, with headers that tell of the visitor', async () => {
    const proxy = {
      upstream: { address: '127.0.0.1', port: upstreamPort },
      bodyMb: 1,
      seconds: 5,
      upgradeSeconds: 60,
      tls: null,
    }
    await serve(siteOf('app.example.com', { type: 'proxy', proxy }))
    const forged = { 'x-forwarded-for': '203.0.113.1', forwarded: 'for=203.0.113.1' }
    const { body } = await scratch.get('app.example.com', '/a%2Fb%20c?d=%41', forged)
    const { url, headers } = JSON.parse(body)
    assert.equal(url, '/a%2Fb%20c?d=%41')
    assert.deepEqual(
      [headers.host, headers['x-forwarded-for'], headers['x-real-ip'], headers['x-forwarded-proto']],
      ['app.example.com', '127.0.0.1', '127.0.0.1', 'http'],
    )
    assert.equal(headers.forwarded, undefined)
  })

  it('refuses a body that is larger than that of the site, or does not say its length', async () => {
    const limit = 1024 * 1024
    assert.equal(await post(limit, { 'content-length': String(limit) }), 200)
    assert.equal(await post(limit + 1, { 'content-length': String(limit + 1) }), 413)
    assert.equal(await post(10, { 'transfer-encoding': 'chunked' }), 411)
  })

  it('tunnels a WebSocket', async () => {
    const socket = connect(scratch.layout.ports.http, '127.0.0.1')
    socket.setEncoding('utf8')
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: app.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    let text = ''
    let hasSent = false
    for await (const part of socket) {
      text += String(part)
      if (!hasSent && text.includes('\r\n\r\n')) {
        hasSent = true
        socket.write('hello')
      }
      if (text.includes('echo hello')) break
    }
    assert.match(text, /^HTTP\/1\.1 101 /)
    socket.destroy()
  })

  it('shows the page of an error where the upstream does not answer, and to nobody who asks for it', async () => {
    const proxy = {
      upstream: { socket: `${scratch.directory}/missing.sock` },
      bodyMb: 1,
      seconds: 5,
      upgradeSeconds: 60,
      tls: null,
    }
    const site = siteOf('down.example.com', {
      type: 'proxy',
      proxy,
      options: { ...options, errorPages: [{ code: 502, path: '/502.html' }] },
    })
    await write(site, '502.html', 'we are sorry')
    await serve(site)
    const { status, body } = await scratch.get('down.example.com')
    assert.deepEqual([status, body], [503, 'we are sorry'])
    assert.equal(await statusOf('down.example.com', '/502.html'), 404)
  })

  it('keeps what it serves when a file is refused, and says why', async () => {
    const path = sitePathIn(scratch.layout, 'bad.example.com')
    await assert.rejects(
      scratch.host.apply(scratch.apache.tool, [{ path, content: 'NoSuchDirective on\n' }]),
      (error) => error instanceof Problem && /Invalid command 'NoSuchDirective'/.test(error.message),
    )
    assert.equal(await scratch.host.files.facts(path), undefined)
    assert.equal((await scratch.get('static.example.com')).body, 'home')
  })

  it('refuses a name that another file has', async () => {
    const twice = siteOf('twice.example.com', { aliases: ['static.example.com'] })
    await assert.rejects(serve(twice), /conflicting server name "static\.example\.com"/)
  })

  it('goes on where a directory of logs was removed', async () => {
    const logs = `${scratch.layout.shared.logsDirectory}/static.example.com`
    await rm(logs, { recursive: true })
    await serve(siteOf('after.example.com'))
    assert.equal((await scratch.get('static.example.com')).body, 'home')
  })

  it('fetches every name by the scheme that it has', async () => {
    const visits = [
      { name: 'static.example.com', isTls: false, isProxy: false },
      { name: 'tls.example.com', isTls: true, isProxy: false },
      { name: 'down.example.com', isTls: false, isProxy: true },
    ]
    const found = await scratch.program.visit(visits)
    assert.equal(found['http://static.example.com/ over IPv4'], '200')
    assert.equal(found['https://tls.example.com/ over IPv4'], '200')
    assert.equal(found['http://down.example.com/ over IPv4'], 'an upstream that does not answer')
  })

  it('is started again with the same files where it was stopped', async () => {
    await run(['apache2', '-f', scratch.layout.configPath, '-k', 'stop'])
    await until(async () => !(await scratch.program.isRunning()))
    assert.equal((await scratch.host.reconcile(scratch.apache.tool)).isLive, true)
    assert.equal((await scratch.get('static.example.com')).body, 'home')
  })
})
