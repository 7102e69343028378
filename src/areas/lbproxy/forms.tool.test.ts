import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import {
  type ScratchHaproxy,
  startScratchHaproxy,
  haproxySkipReason,
} from '../../tools/haproxy/testing/scratch.ts'
import { freePorts } from '../../../test/support/free-ports.ts'

const text = (port: number) => `global
  stats socket \${socket} mode 600 level admin
userlist one
  user ann insecure-password first
userlist two
  user ann insecure-password second
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
  default-server check inter 7s weight 9
frontend web
  bind 127.0.0.1:${port}
  default_backend app
backend app
  server a 127.0.0.1:9
  .if defined(NOPE)
  server c 127.0.0.1:9
  .endif
backend counted
  stick-table type ip size 1k expire 1m store http_req_rate(10s)
backend plain
  mode tcp
`

describe(
  'the forms of lbproxy, validated by the real HAProxy',
  { skip: haproxySkipReason(), timeout: 300_000 },
  () => {
    let scratch: ScratchHaproxy
    let panel: TestPanel
    let keeper: Person
    let ports: readonly number[]
    before(async () => {
      ports = await freePorts(3)
      scratch = await startScratchHaproxy(text(ports[0]!))
      panel = await openTestPanel({ haproxy: scratch.options })
      keeper = await panel.person({ permissions: ['administrative_operations'] })
    })
    after(async () => {
      await panel?.close()
      await scratch?.stop()
    })
    const ask = (
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ) =>
      panel.request(method, `/api/lbproxy${path}`, {
        as: keeper,
        headers,
        ...(body !== undefined && { body }),
      })
    const refusal = async (method: string, path: string, body?: unknown) => {
      const { status, error } = await ask(method, path, body)
      return `${status} ${error?.message}`
    }
    const section = async (name: string) =>
      new RegExp(`^backend ${name}\\n((?:[ \\t].*\\n)*)`, 'm').exec(await scratch.read())?.[1]

    test('a backend is created, changed and reset to its defaults', async () => {
      const health_check = { path: '/health', host: 'shop.example.com', expect: '200-299' }
      const made = await ask('POST', '/backends', {
        name: 'full',
        health_check,
        sticky: { by: 'cookie' },
        timeouts: [{ name: 'server', value: '9s' }],
        forwardfor: true,
        compression: ['text/html'],
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(made.data.health_check, { method: 'GET', ...health_check })
      const server = {
        name: 's1',
        address: '127.0.0.1',
        port: 443,
        verify: 'required',
        sni: '*',
        interval: '500ms',
        rise: 1,
        fall: 9,
        maxconn: 5,
      }
      const added = await ask('POST', '/backends/full/servers', server)
      assert.deepEqual(
        [added.status, added.data.sni, added.data.verify, added.data.cookie],
        [201, '*', 'required', 's1'],
      )
      assert.match(
        (await section('full')) ?? '',
        /server s1 127\.0\.0\.1:443 inter 500ms rise 1 fall 9 maxconn 5 ssl verify required ca-file .* cookie s1\n$/,
      )
      const plain = await ask('PUT', '/backends/full', {
        sticky: null,
        health_check: null,
        forwardfor: false,
        compression: null,
        timeouts: [],
      })
      assert.deepEqual([plain.status, Object.keys(plain.data)], [200, ['name', 'mode', 'balance', 'servers']])
      assert.doesNotMatch((await section('full')) ?? '', /cookie|httpchk|timeout|forwardfor|compression/)
      assert.equal((await ask('DELETE', '/backends/full')).status, 200)
    })

    test('reports in plain language what the form cannot represent', async () => {
      const bad = (body: object) => refusal('POST', '/backends', { name: 'bad', ...body })
      assert.match(
        await bad({ health_check: { path: '/x y' } }),
        /^400 health_check\.path: must be a path that begins with \/ and has no spaces/,
      )
      assert.match(
        await bad({ health_check: { expect: '200,abc' } }),
        /^400 health_check\.expect: must be status codes such as/,
      )
      assert.match(
        await bad({ health_check: { host: 'a.example.com hdr X y' } }),
        /^400 health_check\.host: /,
      )
      assert.match(
        await bad({ mode: 'tcp', sticky: { by: 'cookie' } }),
        /^400 sticky: a cookie requires mode http/,
      )
      assert.match(await bad({ compression: ['text/html\nserver x'] }), /^400 compression/)
      assert.match(await refusal('PUT', '/backends/plain', { sticky: { by: 'cookie' } }), /^400 sticky: /)
      assert.match(
        await refusal('PUT', '/backends/counted', { sticky: { by: 'source' } }),
        /^409 sticky: a form cannot represent its statements/,
      )
      assert.match(
        await refusal('PUT', '/backends/app/servers/c', { name: 'c', address: '192.0.2.1' }),
        /^409 server: the server c is between \.if and \.endif/,
      )
      assert.match(await refusal('DELETE', '/backends/app/servers/c'), /^409 server: the server c is between/)
      assert.match(
        await refusal('PUT', '/backends/nope', { balance: 'first' }),
        /^404 name: there is no backend nope/,
      )
      const server = (more: object) =>
        refusal('POST', '/backends/app/servers', { name: 'y', address: '127.0.0.1', ...more })
      assert.match(await server({ interval: '1 s' }), /^400 interval: must be a duration/)
      assert.match(await server({ sni: 'x y' }), /^400 sni: must be a host name/)
      assert.match(await server({ cookie: 'a b' }), /^400 cookie: /)
      assert.match(await server({ address: 'does-not-exist.invalid' }), /^500 .*does-not-exist\.invalid/s)
    })

    test('a server inherits default-server, and overrides it where necessary', async () => {
      const { data } = await ask('GET', '/backends')
      const { weight, check, interval } = data[0].servers[0]
      assert.deepEqual([weight, check, interval], [9, true, '7s'])
      await ask('PUT', '/backends/app/servers/a', {
        name: 'a',
        address: '127.0.0.1',
        port: 9,
        weight: 9,
        check: true,
      })
      assert.match((await section('app')) ?? '', /^ {2}server a 127\.0\.0\.1:9$/m)
      await ask('PUT', '/backends/app/servers/a', {
        name: 'a',
        address: '127.0.0.1',
        port: 9,
        weight: 3,
        check: false,
      })
      assert.match((await section('app')) ?? '', /^ {2}server a 127\.0\.0\.1:9 no-check weight 3$/m)
    })

    test('a frontend requires existing backends and free addresses', async () => {
      assert.match(
        await refusal('POST', '/frontends', {
          name: 'f',
          binds: [{ port: ports[1] }],
          default_backend: 'nope',
        }),
        /^404 default_backend: there is no backend nope/,
      )
      assert.match(
        await refusal('POST', '/frontends', { name: 'f', binds: [{ address: '127.0.0.1', port: ports[0] }] }),
        /^409 binds: the frontend web already listens on 127\.0\.0\.1:\d+/,
      )
      assert.match(
        await refusal('POST', '/frontends', { name: 'f', binds: [{ address: '192.0.2.1:80' }] }),
        /^400 binds\.0\.address: /,
      )
      const made = await ask('POST', '/frontends', {
        name: 'f',
        binds: [{ port: ports[1] }],
        default_backend: 'app',
        forwardfor: true,
        compression: [],
      })
      assert.deepEqual([made.status, made.data.forwardfor, made.data.compression], [201, true, []])
    })

    test('a port of another program is refused with its process and a free port', async (t) => {
      const [free, port] = (await freePorts(2)) as [number, number]
      const holder = createServer().listen(port, '127.0.0.1')
      t.after(() => holder.close())
      await once(holder, 'listening')
      const bind = { name: 'held', binds: [{ port: free }, { address: '127.0.0.1', port }] }
      for (const path of ['/frontends?plan=1', '/frontends']) {
        const { status, error } = await ask('POST', path, bind)
        assert.deepEqual([status, error.port, error.pid], [409, port, process.pid])
        assert.match(
          error.message,
          /^binds\.1\.port: port \d+ is used by .+ \(process \d+\); port \d+ is free$/,
        )
        assert.ok(error.process !== '' && Number(error['free_port']) > port)
      }
    })

    test('keeps equal hidden passwords of two lists, and refuses an unknown hidden one', async () => {
      const { data } = await ask('GET', '/config')
      assert.equal((await ask('POST', '/config', { content: `${data.content}# note\n` })).status, 200)
      assert.deepEqual((await scratch.read()).match(/(?<=insecure-password ).*/g), ['first', 'second'])
      assert.match(
        await refusal('POST', '/config', { content: data.content.replace('user ann', 'user bob') }),
        /^400 line 4: the hidden password/,
      )
    })

    test('at most one of several raw writes of the same revision succeeds, and no other change is lost', async () => {
      const { data, headers } = await ask('GET', '/config')
      const revision = { 'if-match': String(headers['etag']) }
      const writes = [1, 2, 3].map((number) =>
        ask('POST', '/config', { content: `${data.content}# write ${number}\n` }, revision),
      )
      const added = ask('POST', '/backends', { name: 'between' })
      const statuses = (await Promise.all(writes)).map(({ status }) => status)
      assert.equal((await added).status, 201)
      assert.match(await scratch.read(), /^backend between$/m)
      assert.ok(statuses.filter((status) => status === 409).length >= 2, statuses.join())
    })

    test('a hundred concurrent changes each get their own reply, and a refused one affects no other', async () => {
      const reloads = async () => (await scratch.haproxy.program.processes())!.reloads
      const before = await reloads()
      const names = Array.from({ length: 100 }, (_, index) => `t${index}`)
      const answers = await Promise.all(
        names.map((name, index) =>
          ask('POST', '/backends', { name, ...(index === 50 && { balance: 'nonsense' }) }),
        ),
      )
      assert.deepEqual(
        answers.flatMap(({ status }, index) => (status === 201 ? [] : [`${index} ${status}`])),
        ['50 500'],
      )
      assert.ok((await reloads()) - before <= 10, `${(await reloads()) - before} reloads`)
      const entries = await panel.store.db
        .selectFrom('activity')
        .select('message')
        .where('message', 'like', 'Add the backend t%')
        .where('status', '=', 'ok')
        .execute()
      assert.equal(entries.length, 99)
    })

    test('refuses an expired certificate in the chain by its name, and lists a file that is no certificate with the reason', async () => {
      const { certificate, key, chain } = await expiredChain()
      const store = (more: object) =>
        refusal('POST', '/certificates', { domain: 'shop.example.com', certificate, key, ...more })
      assert.match(
        await store({ certificate: certificate + chain }),
        /^400 certificate: Old Authority in its chain expired on 2021-/,
      )
      assert.match(
        await store({ certificate: certificate + key, key }),
        /^400 key: the PEM must contain one private key, not 2/,
      )
      assert.match(await store({}), /^201 /)
      const path = `${scratch.layout.certificatesDirectory}/odd.example.com.pem`
      writeFileSync(path, 'rubbish')
      const { data } = await ask('GET', '/certificates')
      assert.deepEqual(
        data.map(({ domain, problem }: { domain: string; problem?: string }) => [domain, problem]),
        [
          ['odd.example.com', 'certificate: the PEM contains no certificate'],
          ['shop.example.com', undefined],
        ],
      )
      writeFileSync(
        scratch.layout.configPath,
        `${await scratch.read()}frontend tls\n  bind 127.0.0.1:${ports[2]} ssl crt ${scratch.layout.certificatesDirectory}/\n`,
      )
      assert.match(
        await refusal('DELETE', '/certificates/shop.example.com'),
        /^409 .*used by frontend tls \(bind\)/,
        'by its directory',
      )
      assert.match(readFileSync(path, 'utf8'), /rubbish/)
    })
  },
)

/** A valid certificate with an expired authority in its chain. */
async function expiredChain() {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const make = async (name: string, years: readonly [number, number]) => {
    const [notBefore, notAfter] = years.map((year) => new Date(Date.UTC(year, 0, 1)))
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      notBefore,
      notAfter,
      signingAlgorithm: algorithm,
      keys,
    } as never)
    return `${made.toString('pem')}\n`
  }
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`
  return {
    certificate: await make('shop.example.com', [2020, 2090]),
    key,
    chain: await make('Old Authority', [2020, 2021]),
  }
}
