import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { leftovers } from './story/host-state.ts'
import { pebbleEnvironment, startPebble } from './story/pebble.ts'
import { type Asked, contents, features, pages, upstream } from './story/served-pages.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { untilListening } from './story/until-listening.ts'

const everyMs = 20
const address = '10.77.0.32'

const shown = (page: Asked) => JSON.stringify({ ...page, body: page.body?.length })

describe('the second web server', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  const ids = new Map<string, number>()

  const create = async (domain: string, draft: object) => {
    const body = { domain, username: 'ada', ...draft }
    ids.set(domain, (await admin.must('POST', '/api/websites', body)).id)
  }
  const write = (path: string, content: string) =>
    ada.signedIn.must('POST', '/api/filemanager/write', { username: 'ada', path: `sites/${path}`, content })
  const patch = (domain: string, body: object) =>
    admin.must('PATCH', `/api/websites/${ids.get(domain)}`, body)

  before(async () => {
    host = await bootHost('apache', { image: 'apache', addresses: [`${address}/24`] })
    await startPebble(host, { address })
    panel = await startPanel(host, { env: pebbleEnvironment })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    await writeFile(join(host.rootPath, 'root/upstream.cjs'), upstream)
    const node = '/opt/hostreeve/node_modules/.bin/node'
    await host.must(['systemd-run', '--unit=upstream', node, '/root/upstream.cjs'])
    await untilListening(host, 3000)
    await makeWebsites()
    await fill()
    for (const domain of ['safe.example.com', 'php.example.com'])
      await certify(domain, { method: 'self_signed' })
    await patch('safe.example.com', { https_redirect: true, hsts: true })
    await admin.must('POST', `/api/websites/${ids.get('asleep.example.com')}/suspend`)
  })
  after(() => host?.remove())

  const certify = async (domain: string, body: object) => {
    const { job_id } = await admin.must('POST', `/api/websites/${ids.get(domain)}/ssl`, body)
    const end = (await admin.followJob(job_id)).at(-1)
    assert.equal(end?.['state'], 'succeeded', JSON.stringify(end))
  }
  const makeWebsites = async () => {
    const users = [{ username: 'eve', password: 'open it' }]
    await create('shop.example.com', { type: 'static' })
    await create('php.example.com', { type: 'php' })
    await create('app.example.com', { type: 'proxy', upstream: 'http://127.0.0.1:3000' })
    await create('down.example.com', { type: 'proxy', upstream: 'http://127.0.0.1:3999' })
    for (const domain of ['safe.example.com', 'asleep.example.com', 'paused.example.com'])
      await create(domain, { type: 'static' })
    await patch('shop.example.com', {
      aliases: ['www.shop.example.com', '*.shop.example.com'],
      redirects: [
        { from: '/old', to: 'https://example.org/new?x=1' },
        { from: '/a b (1)', to: '/sub/#top', code: 302 },
      ],
      basic_auth: [{ folder: '/private/', users }],
      error_pages: [{ code: 404, path: '/not found.html' }],
    })
    await patch('php.example.com', {
      basic_auth: [{ folder: '/admin/', users }],
      limits: { upload_mb: 1 },
      error_pages: [{ code: 413, path: '/large.html' }],
    })
    await patch('app.example.com', {
      proxy_settings: { body_mb: 1 },
      basic_auth: [{ folder: '/admin/', users }],
    })
    await patch('down.example.com', { error_pages: [{ code: 502, path: '/502.html' }] })
    await patch('paused.example.com', { maintenance: true })
  }
  const fill = async () => {
    const folders = new Set(Object.keys(contents).map((path) => path.slice(0, path.lastIndexOf('/'))))
    for (const folder of [...folders].filter((path) => !path.endsWith('/public')))
      await ada.signedIn.must('POST', '/api/filemanager/mkdir', { username: 'ada', path: `sites/${folder}` })
    for (const [path, content] of Object.entries(contents)) await write(path, content)
  }
  const fetchPage = async (asked: Asked, address = '127.0.0.1') => {
    const { domain, path = '/', method, isTls = false, password, headers = {}, body, shows = [] } = asked
    const basic = Buffer.from(`eve:${password}`).toString('base64')
    const authorization = password === undefined ? {} : { authorization: `Basic ${basic}` }
    const answer = await host.request({
      path,
      address,
      headers: { Host: domain, ...authorization, ...headers },
      ...(method !== undefined && { method }),
      ...(body !== undefined && { body }),
      ...(isTls && { tls: { servername: domain } }),
    })
    // pages of errors are each server's own where the website has none, as is the status of an upstream that is down
    const status = domain === 'down.example.com' && answer.status === 503 ? 502 : answer.status
    const text = status === 200 || shows.includes('body') ? answer.text : ''
    const named = shows
      .filter((name) => name !== 'body')
      .map((name) => `${name}: ${String(answer.headers[name])}`)
    return [status, answer.headers.location ?? '', text, ...named].join(' ')
  }
  const fetchAll = async (asked: readonly Asked[] = [...pages, ...features]) => {
    const found: Record<string, string> = {}
    for (const page of asked)
      for (const address of ['127.0.0.1', '::1'])
        found[`${shown(page)} over ${address}`] = await fetchPage(page, address)
    return found
  }
  const served = () => admin.must('GET', '/api/settings/webserver')
  const switchTo = (server: string) => admin.must('POST', '/api/settings/webserver/switch', { server })
  const stateOf = async (unit: string) =>
    (await host.exec(['systemctl', 'is-active', unit])).stdout.trim() +
    ` ${(await host.exec(['systemctl', 'is-enabled', unit])).stdout.trim()}`

  /** Fetches pages, fifty in a second, until it is stopped; returns what was answered, and how often nothing was. */
  function startLoad(expected: Readonly<Record<string, string>>) {
    const wrong: string[] = []
    const pending: Promise<void>[] = []
    let answered = 0
    let unanswered = 0
    let isStopped = false
    const ask = async (page: Asked) => {
      const wanted = expected[`${shown(page)} over 127.0.0.1`]
      try {
        const found = await fetchPage(page)
        answered += 1
        if (found !== wanted) wrong.push(`${shown(page)}: ${found} instead of ${wanted}`)
      } catch {
        unanswered += 1 // between the stop of one and the start of the other
      }
    }
    const run = async () => {
      for (let index = 0; !isStopped; index += 1) {
        pending.push(ask(pages[index % pages.length]!))
        await wait(everyMs)
      }
      await Promise.all(pending)
    }
    const running = run()
    return {
      answered: () => answered,
      stop: async () => {
        isStopped = true
        await running
        return { answered, unanswered, wrong }
      },
    }
  }

  it('rests after its installation, as nginx serves', async () => {
    const events = await admin.followJob((await admin.must('POST', '/api/programs/apache/install')).job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-5)))
    assert.equal(await stateOf('apache2'), 'inactive disabled')
    const { active, available } = await served()
    assert.equal(active, 'nginx')
    assert.deepEqual([available[1].reason, available[1].obstacles], ['', []])
  })

  it('takes over and gives back with the same answers, under fifty requests a second', async (t) => {
    const expected = await fetchAll()
    assert.match(expected[`${shown({ domain: 'shop.example.com' })} over ::1`] ?? '', /^200 +shop$/)
    for (const [to, running, resting] of [
      ['apache', 'apache2', 'nginx'],
      ['nginx', 'nginx', 'apache2'],
    ] as const) {
      const load = startLoad(expected)
      await poll('requests are answered before', 60_000, async () =>
        load.answered() > 20 ? true : undefined,
      )
      const { websites } = await switchTo(to)
      assert.equal(websites, ids.size)
      const atSwitch = load.answered()
      await poll('requests are answered afterwards', 60_000, async () =>
        load.answered() > atSwitch + 50 ? true : undefined,
      )
      const { answered, unanswered, wrong } = await load.stop()
      t.diagnostic(JSON.stringify({ to, answered, unanswered }))
      assert.deepEqual(wrong, [])
      assert.deepEqual(await fetchAll(), expected)
      assert.equal(await stateOf(running), 'active enabled')
      assert.equal(await stateOf(resting), 'inactive disabled')
      assert.deepEqual(await leftovers(host), [])
    }
  })

  it('serves what is created, edited and deleted under it', async () => {
    await switchTo('apache')
    await create('later.example.com', { type: 'static' })
    await write('later.example.com/public/index.html', 'later')
    assert.match(await fetchPage({ domain: 'later.example.com' }), /^200 +later$/)
    await patch('later.example.com', { redirects: [{ from: '/a', to: '/b', code: 302 }] })
    assert.match(await fetchPage({ domain: 'later.example.com', path: '/a' }), /^302 http:.*\/b $/)
    await certify('later.example.com', {})
    const { issuer } = await admin.must('GET', `/api/websites/${ids.get('later.example.com')}/ssl`)
    assert.match(issuer, /Pebble/)
    assert.match(await fetchPage({ domain: 'later.example.com', isTls: true }), /^200 +later$/)
    const framing = { 'transfer-encoding': 'chunked' }
    for (const domain of ['php.example.com', 'app.example.com'])
      assert.match(await fetchPage({ domain, method: 'POST', headers: framing }), /^411 /)
    await admin.must('DELETE', `/api/websites/${ids.get('later.example.com')}`)
    assert.doesNotMatch(await fetchPage({ domain: 'later.example.com' }), /^200 +later$/) // Debian's own site answers
    const lines = await admin.must('GET', `/api/websites/${ids.get('shop.example.com')}/logs?lines=5`)
    assert.match(JSON.stringify(lines), /GET /)
  })

  it('is what serves after a restart of the host', async () => {
    await host.reboot()
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await poll('a website is served', 60_000, async () =>
      (await fetchPage({ domain: 'shop.example.com' }).catch(() => '')).startsWith('200') ? true : undefined,
    )
    assert.equal(await stateOf('nginx'), 'inactive disabled')
    assert.equal((await served()).active, 'apache')
    await switchTo('nginx')
  })

  it('goes back where a website answers otherwise', async () => {
    const expected = await fetchAll()
    // a handler of the administrator that nginx does not know: Apache refuses what nginx serves
    const path = 'etc/apache2/conf-enabled/refuse.conf'
    const refusing =
      '<LocationMatch "^/$">\n  <If "%{HTTP_HOST} == \'shop.example.com\'">\n    Require all denied\n  </If>\n</LocationMatch>\n'
    await writeFile(join(host.rootPath, path), refusing)
    const { status, code, message } = await admin.ask('POST', '/api/settings/webserver/switch', {
      server: 'apache',
    })
    assert.deepEqual([status, code], [500, 'switch_failed'], message)
    assert.match(message, /http:\/\/shop\.example\.com\/ over IPv[46] answered 200, and now 403/)
    await rm(join(host.rootPath, path))
    assert.deepEqual(await fetchAll(), expected)
    assert.equal(await stateOf('nginx'), 'active enabled')
    assert.equal(await stateOf('apache2'), 'inactive disabled')
    assert.equal((await served()).active, 'nginx')
    assert.deepEqual(await leftovers(host), [])
  })

  const startOf = async () =>
    (await host.must(['systemctl', 'show', '--property=ActiveEnterTimestampMonotonic', 'nginx'])).stdout

  it('is refused before nginx stops where it would not start', async () => {
    const expected = await fetchAll()
    const port = panel.environment['HOSTREEVE_PORT']
    const path = 'etc/apache2/sites-enabled/foreign.conf'
    const ask = (query = '') =>
      admin.ask('POST', `/api/settings/webserver/switch${query}`, { server: 'apache' })
    const before = await startOf()
    for (const [content, status, code, reason] of [
      ['Nonsense on\n', 500, 'config_failed', /foreign\.conf[^]*Nonsense/],
      [
        `Listen 127.0.0.1:${port}\n`,
        409,
        'conflict',
        /would not start: it listens on 127\.0\.0\.1:\d+, which/,
      ],
      [
        `<IfModule mod_dir.c>\n  Listen ${port}\n</IfModule>\n`,
        409,
        'conflict',
        /listens on port \d+, which/,
      ],
      ['Listen 192.0.2.77:80\n', 409, 'conflict', /this host does not have that address/],
    ] as const) {
      await writeFile(join(host.rootPath, path), content)
      const { data: plan } = await ask('?plan=1')
      assert.match(JSON.stringify(plan.steps.at(-1).refused ?? ''), reason)
      const refused = await ask()
      assert.deepEqual([refused.status, refused.code], [status, code], refused.message)
      assert.match(refused.message, reason)
      await rm(join(host.rootPath, path))
    }
    await host.must(['systemctl', 'mask', 'apache2'])
    assert.match((await served()).available[1].reason, /apache2 is masked/)
    const masked = await ask()
    assert.deepEqual([masked.status, masked.code], [503, 'unavailable'])
    await host.must(['systemctl', 'unmask', 'apache2'])
    assert.equal(await startOf(), before, 'nginx was never stopped')
    assert.deepEqual(await fetchAll(), expected)
    assert.deepEqual(await leftovers(host), [])
  })

  it('has ports that the other one is not started for', async () => {
    const { status, code, message } = await admin.ask('POST', '/api/services/apache2/start')
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(message, /nginx serves the websites and has the ports 80 and 443/)
  })

  it('is refused while a website has what it lacks', async () => {
    await patch('php.example.com', { directives: [{ name: 'gzip', values: ['off'] }] })
    const { status, code, message } = await admin.ask('POST', '/api/settings/webserver/switch', {
      server: 'apache',
    })
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(message, /php\.example\.com: directives are those of nginx/)
    await patch('php.example.com', { directives: [] })
  })

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/web-server.md'), 'utf8')
    await runAll(host, panel, shellBlocks(guide))
    assert.equal((await served()).active, 'nginx')
  })
})
