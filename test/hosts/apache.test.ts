import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { leftovers } from './story/host-state.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const upstream = `const server = require('node:http').createServer((request, response) => response.end('app ' + request.url))
server.listen(3000, '127.0.0.1')`
const everyMs = 20

interface Asked {
  readonly domain: string
  readonly path?: string
  readonly isTls?: boolean
  readonly password?: string
}

const pages: readonly Asked[] = [
  { domain: 'shop.example.com' },
  { domain: 'www.shop.example.com', path: '/sub/' },
  { domain: 'any.shop.example.com' },
  { domain: 'shop.example.com', path: '/sub' },
  { domain: 'shop.example.com', path: '/old' },
  { domain: 'shop.example.com', path: '/missing' },
  { domain: 'shop.example.com', path: '/.env' },
  { domain: 'shop.example.com', path: '/private/' },
  { domain: 'shop.example.com', path: '/private/', password: 'open it' },
  { domain: 'php.example.com', path: '/a/post?x=1' },
  { domain: 'php.example.com', path: '/a.txt' },
  { domain: 'php.example.com', path: '/uploads/evil.php' },
  { domain: 'app.example.com', path: '/a%2Fb?c=1' },
  { domain: 'safe.example.com' },
  { domain: 'safe.example.com', path: '/a?b=1' },
  { domain: 'safe.example.com', isTls: true },
  { domain: 'asleep.example.com' },
]

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
    host = await bootHost('apache', { image: 'apache' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    await writeFile(join(host.rootPath, 'root/upstream.cjs'), upstream)
    const node = '/opt/hostreeve/node_modules/.bin/node'
    await host.must(['systemd-run', '--unit=upstream', node, '/root/upstream.cjs'])
    await create('shop.example.com', { type: 'static' })
    await create('php.example.com', { type: 'php' })
    await create('app.example.com', { type: 'proxy', upstream: 'http://127.0.0.1:3000' })
    await create('safe.example.com', { type: 'static' })
    await create('asleep.example.com', { type: 'static' })
    await patch('shop.example.com', {
      aliases: ['www.shop.example.com', '*.shop.example.com'],
      redirects: [{ from: '/old', to: 'https://example.org/new?x=1' }],
      basic_auth: [{ folder: '/private/', users: [{ username: 'eve', password: 'open it' }] }],
    })
    for (const folder of [
      'shop.example.com/public/sub',
      'shop.example.com/public/private',
      'php.example.com/public/uploads',
    ])
      await ada.signedIn.must('POST', '/api/filemanager/mkdir', { username: 'ada', path: `sites/${folder}` })
    for (const [path, content] of [
      ['shop.example.com/public/index.html', 'shop'],
      ['shop.example.com/public/sub/index.html', 'sub'],
      ['shop.example.com/public/private/index.html', 'private'],
      ['shop.example.com/public/.env', 'secret'],
      ['php.example.com/public/index.php', "<?php echo 'front:', $_SERVER['REQUEST_URI'];"],
      ['php.example.com/public/a.txt', 'text'],
      ['php.example.com/public/uploads/evil.php', "<?php echo 'executed';"],
      ['safe.example.com/public/index.html', 'safe'],
    ] as const)
      await write(path, content)
    const { job_id } = await admin.must('POST', `/api/websites/${ids.get('safe.example.com')}/ssl`, {
      method: 'self_signed',
    })
    assert.equal((await admin.followJob(job_id)).at(-1)?.['state'], 'succeeded')
    await patch('safe.example.com', { https_redirect: true, hsts: true })
    await admin.must('POST', `/api/websites/${ids.get('asleep.example.com')}/suspend`)
  })
  after(() => host?.remove())

  const fetchPage = async ({ domain, path = '/', isTls = false, password }: Asked, address = '127.0.0.1') => {
    const authorization =
      password === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(`eve:${password}`).toString('base64')}` }
    const { status, headers, text } = await host.request({
      path,
      address,
      headers: { Host: domain, ...authorization },
      ...(isTls && { tls: { servername: domain } }),
    })
    // pages of errors are each server's own
    return [status, headers.location ?? '', status === 200 ? text : ''].join(' ')
  }
  const fetchAll = async () => {
    const found: Record<string, string> = {}
    for (const page of pages)
      for (const address of ['127.0.0.1', '::1'])
        found[`${JSON.stringify(page)} over ${address}`] = await fetchPage(page, address)
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
      const wanted = expected[`${JSON.stringify(page)} over 127.0.0.1`]
      try {
        const found = await fetchPage(page)
        answered += 1
        if (found !== wanted) wrong.push(`${JSON.stringify(page)}: ${found} instead of ${wanted}`)
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
    assert.match(expected[`${JSON.stringify(pages[0])} over ::1`] ?? '', /^200 +shop$/)
    for (const [to, running, resting] of [
      ['apache', 'apache2', 'nginx'],
      ['nginx', 'nginx', 'apache2'],
    ] as const) {
      const load = startLoad(expected)
      await poll('requests are answered before', 60_000, async () =>
        load.answered() > 20 ? true : undefined,
      )
      const { websites } = await switchTo(to)
      assert.equal(websites, 5)
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

  it('goes back where it does not start', async () => {
    const expected = await fetchAll()
    const path = 'etc/apache2/conf-enabled/broken.conf'
    const port = panel.environment['HOSTREEVE_PORT']
    await writeFile(join(host.rootPath, path), `Listen 127.0.0.1:${port}\n`) // the panel has it
    const { status } = await admin.ask('POST', '/api/settings/webserver/switch', { server: 'apache' })
    assert.equal(status, 500)
    await rm(join(host.rootPath, path))
    assert.deepEqual(await fetchAll(), expected)
    assert.equal(await stateOf('nginx'), 'active enabled')
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
