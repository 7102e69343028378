import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSelfSigned } from '../../src/host/self-signed.ts'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { offerSecondPhp } from './story/second-php.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Owner } from './story/signed-in.ts'
import { untilListening } from './story/until-listening.ts'
import { visit } from './story/visit.ts'

const frontController = `<?php
echo 'front:', $_SERVER['REQUEST_URI'], ':', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), ':', posix_geteuid();`

describe('sites of PHP and proxies', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  let adaSite: number
  let bobSite: number
  before(async () => {
    host = await bootHost('sitetypes')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
  })
  after(() => host?.remove())

  const write = (owner: Owner, username: string, path: string, content: string) =>
    owner.signedIn.must('POST', '/api/filemanager/write', { username, path, content })
  const php = (path: string, code: string) =>
    write(ada, 'ada', `sites/ada.example.com/public/${path}`, `<?php ${code}`)
  const run = async (path: string) => (await visit(host, 'ada.example.com', path)).text

  it('serve PHP under the uid of their owner, with a front controller', async () => {
    adaSite = (await ada.signedIn.must('POST', '/api/websites', { domain: 'ada.example.com', type: 'php' }))
      .id
    bobSite = (
      await bob.signedIn.must('POST', '/api/websites', {
        domain: 'bob.example.com',
        type: 'php',
        php_version: '8.2',
      })
    ).id
    await write(ada, 'ada', 'sites/ada.example.com/public/index.php', frontController)
    await write(bob, 'bob', 'sites/bob.example.com/public/index.php', frontController)
    const uid = (await host.must(['id', '-u', 'ada'])).stdout.trim()
    assert.equal(await run('/2026/a-post/?x=1'), `front:/2026/a-post/?x=1:/2026/a-post/:${uid}`)
    const slice = (await host.must(['systemctl', 'show', '-p', 'Slice', 'hostreeve-php8.2-ada'])).stdout
    assert.equal(slice.trim(), `Slice=user-${uid}.slice`)
  })

  it('never execute or show scripts in folders of uploads, nor hidden files', async () => {
    const root = '/home/ada/sites/ada.example.com/public'
    const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    const folders = ['wp-content/uploads', 'uploads', 'files', 'media']
    await host.must([
      ...asAda,
      'mkdir',
      '-p',
      ...[...folders, 'deep/uploads'].map((each) => `${root}/${each}`),
    ])
    for (const folder of folders) {
      await php(`${folder}/evil.php`, "echo 'executed';")
      await write(ada, 'ada', `sites/ada.example.com/public/${folder}/a.txt`, 'text')
      for (const path of ['evil.php', 'evil.php/x', 'a.txt/evil.php']) {
        const { status, text } = await visit(host, 'ada.example.com', `/${folder}/${path}`)
        assert.ok(status === 404 && !/executed|<\?php/.test(text), `${folder}/${path}: ${status} ${text}`)
      }
      assert.equal(await run(`/${folder}/a.txt`), 'text')
    }
    await php('deep/uploads/app.php', "echo 'app';")
    assert.equal(await run('/deep/uploads/app.php'), 'app')
    await php('.env', 'secret')
    assert.equal((await visit(host, 'ada.example.com', '/.env')).status, 404)
  })

  it('keep the PHP of one owner from the other’s files, processes and socket', async () => {
    const socket = `/run/hostreeve-php/bob-8.2/site-${bobSite}.sock`
    const pid = (await host.must(['cat', '/run/hostreeve-php/bob-8.2/master.pid'])).stdout.trim()
    await php(
      'attack.php',
      `echo json_encode([
        @file_get_contents('/home/bob/sites/bob.example.com/public/index.php'),
        @file_put_contents('/home/bob/sites/bob.example.com/public/x', 'x'),
        posix_kill(${pid}, 9),
        @stream_socket_client('unix://${socket}') === false,
        @shell_exec('cat /home/bob/sites/bob.example.com/public/index.php; cat /etc/php/8.2/fpm/hostreeve/bob/*'),
        @file_get_contents('/etc/passwd'),
        ini_get('session.save_path'), ini_get('open_basedir'),
      ]);`,
    )
    assert.deepEqual(JSON.parse(await run('/attack.php')), [
      false,
      false,
      false,
      true,
      null,
      false,
      '/home/ada/sites/ada.example.com/php/sessions',
      '/home/ada/sites/ada.example.com/',
    ])
    const asAda = [
      'setpriv',
      '--reuid=ada',
      '--regid=ada',
      '--clear-groups',
      '--',
      'curl',
      '--unix-socket',
    ] as const
    assert.notEqual((await host.exec([...asAda, socket, 'http://x/'])).code, 0)
    assert.match((await host.must(['stat', '-c', '%U:%a', socket])).stdout, /^www-data:600$/m)
  })

  it('answer the front page with index.php, else with index.html, and never by a link to the file of another owner', async () => {
    const root = '/home/ada/sites/ada.example.com/public'
    const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    const uid = (await host.must(['id', '-u', 'ada'])).stdout.trim()
    assert.equal(await run('/?x=1'), `front:/?x=1:/:${uid}`)
    await host.must([...asAda, 'mv', `${root}/index.php`, `${root}/kept.php`])
    assert.match(await run('/'), /<title>ada\.example\.com</) // the page of a new website
    await host.must([...asAda, 'rm', `${root}/index.html`])
    assert.equal((await visit(host, 'ada.example.com', '/')).status, 403)
    for (const name of ['index.php', 'index.html']) {
      await host.must([
        ...asAda,
        'ln',
        '-s',
        '/home/bob/sites/bob.example.com/public/index.php',
        `${root}/${name}`,
      ])
      const { status, text } = await visit(host, 'ada.example.com', '/')
      assert.ok(status >= 400 && !/front:|REQUEST_URI/.test(text), `${name}: ${status} ${text}`)
      await host.must([...asAda, 'rm', `${root}/${name}`])
    }
    await host.must([...asAda, 'mv', `${root}/kept.php`, `${root}/index.php`])
  })

  it('show the programs of PHP no process of others', async () => {
    await php('processes.php', "echo shell_exec('ps -eo uid= | sort -u');")
    const uid = (await host.must(['id', '-u', 'ada'])).stdout.trim()
    assert.equal((await run('/processes.php')).trim(), uid)
    await php('system.php', "echo shell_exec('touch /etc/x /usr/x 2>&1');")
    assert.match(
      await run('/system.php'),
      /\/etc\/x'?: Read-only file system[^]*\/usr\/x'?: Read-only file system/,
    )
  })

  it('change their pools without losing a request', async () => {
    await php('slow.php', "usleep(300000); echo ini_get('memory_limit');")
    let isOver = false
    const failed: string[] = []
    let answered = 0
    const visitor = async () => {
      while (!isOver) {
        const { status, text } = await visit(host, 'ada.example.com', '/slow.php')
        answered += 1
        if (status !== 200 || !/^\d+M$/.test(text)) failed.push(`${status} ${text.slice(0, 80)}`)
      }
    }
    const visitors = [visitor(), visitor(), visitor()]
    try {
      for (const memory_mb of [64, 96, 160, 200, 256])
        await ada.signedIn.must('PATCH', `/api/websites/${adaSite}`, { limits: { memory_mb } })
    } finally {
      isOver = true
      await Promise.all(visitors)
    }
    assert.deepEqual(failed, [])
    assert.ok(answered >= 6, String(answered))
    assert.equal(await run('/slow.php'), '256M')
  })

  it('refuse PHP settings that are wrong, and versions that are not installed', async () => {
    for (const [body, status, message] of [
      [{ php_version: '7.4' }, 400, /^php_version: PHP 7\.4 is not installed; installed: 8\.2/],
      [{ limits: { memory_mb: 5000 } }, 400, /^limits: memory_mb must be at most 512/],
      [{ allowed_limits: { memory_mb: 5000 } }, 403, /superuser/],
      [{ upstream: 'http://192.0.2.1' }, 400, /^upstream: belongs to websites of type proxy/],
      ...['a\nb', 'a"b', 'a;b'].map(
        (value) =>
          [
            { php_settings: { 'date.timezone': value } },
            400,
            /^php_settings\.date\.timezone: must be one line without/,
          ] as const,
      ),
      [{ php_settings: { 'a\n': '' } }, 400, /^php_settings: must be an object with names/],
      [{ php_settings: { disable_functions: '' } }, 400, /only a superuser/],
      [{ php_settings: { open_basedir: '/' } }, 400, /set by the panel/],
      [{ directives: [{ name: 'root', values: ['/etc'] }] }, 400, /only a superuser/],
    ] as const) {
      const answer = await ada.signedIn.ask('PATCH', `/api/websites/${adaSite}`, body)
      assert.equal(answer.status, status, JSON.stringify(body))
      assert.match(answer.message ?? '', message)
    }
  })

  it('forward HTTP and WebSockets to an upstream that a superuser chose', async () => {
    const server = `const c = require('node:crypto')
      const s = require('node:http').createServer((q, r) => r.end(JSON.stringify([q.url, q.headers])))
      s.on('upgrade', (q, k) => k.end('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: '
        + c.createHash('sha1').update(q.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64') + '\\r\\n\\r\\nhello'))
      s.listen(3000, '127.0.0.1')`
    await writeFile(join(host.rootPath, 'root/upstream.cjs'), server)
    await host.must([
      'systemd-run',
      '--unit=upstream',
      '/opt/hostreeve/node_modules/.bin/node',
      '/root/upstream.cjs',
    ])
    await untilListening(host, 3000)
    const draft = { domain: 'app.example.com', type: 'proxy', upstream: 'http://127.0.0.1:3000' }
    await admin.must('POST', '/api/websites', { ...draft, username: 'ada' })
    const [url, headers] = JSON.parse((await visit(host, 'app.example.com', '/a?b=c')).text)
    assert.deepEqual([url, headers.host, headers['x-forwarded-proto']], ['/a?b=c', 'app.example.com', 'http'])
    const key = ['-H', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '-H', 'Upgrade: websocket']
    const { stdout } = await host.exec([
      'curl',
      '-s',
      '-i',
      '-m',
      '5',
      '-H',
      'Host: app.example.com',
      '-H',
      'Connection: Upgrade',
      ...key,
      'http://127.0.0.1/',
    ])
    assert.match(stdout, /^HTTP\/1\.1 101 [\s\S]*Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=[\s\S]*hello$/)
  })

  it('verify the certificate of an https upstream with authorities of their own', async () => {
    const { cert, key } = await createSelfSigned(
      'app.internal',
      [{ type: 'dns', value: 'app.internal' }],
      new Date(),
    )
    const server = `require('node:https').createServer(${JSON.stringify({ cert, key })}, (q, r) =>
      r.end(q.socket.servername + q.url)).listen(3443, '127.0.0.1')`
    await writeFile(join(host.rootPath, 'root/secure.cjs'), server)
    const node = '/opt/hostreeve/node_modules/.bin/node'
    await host.must(['systemd-run', '--unit=secure', node, '/root/secure.cjs'])
    await host.must(['curl', '-s', '-k', '--retry', '20', '--retry-connrefused', 'https://127.0.0.1:3443/'])
    const draft = { domain: 'secure.example.com', type: 'proxy', username: 'ada' }
    const plain = { ...draft, upstream: 'http://127.0.0.1:3000' }
    const path = `/api/websites/${(await admin.must('POST', '/api/websites', plain)).id}`
    const upstream = 'https://127.0.0.1:3443'
    const refused = await admin.ask('PATCH', path, { upstream })
    assert.match(refused.message ?? '', /^upstream: the certificate of 127\.0\.0\.1 is verified by name/)
    const set = (proxy_settings: object) => admin.must('PATCH', path, { upstream, proxy_settings })
    const shown = async () => {
      const { status, text } = await visit(host, 'secure.example.com', '/a%20b')
      return status === 200 ? text : status
    }
    await set({ tls_name: 'app.internal', ca: cert })
    assert.equal(await shown(), 'app.internal/a%20b')
    await set({ ca: null })
    assert.equal(await shown(), 502)
    await set({ verify_tls: false })
    assert.equal(await shown(), 'app.internal/a%20b')
  })

  it('refuse upstreams that are wrong or internal', async () => {
    for (const upstream of [
      'file:///etc/passwd',
      'http://169.254.169.254',
      'http://127.0.0.1:3000',
      'http://ann:pw@192.0.2.1',
      'http://192.0.2.1\nx',
      'http://192.0.2.1/path',
      'https://127.0.0.1:3443',
      'unix:/run/mysqld/mysqld.sock',
    ]) {
      const draft = { domain: 'evil.example.com', type: 'proxy', upstream }
      const { status, message } = await ada.signedIn.ask('POST', '/api/websites', draft)
      assert.equal(status, upstream.startsWith('unix:') ? 403 : 400, upstream)
      assert.match(message ?? '', /^upstream: /)
    }
  })

  it('serve every name below a wildcard, except those that other websites have', async () => {
    const site = (domain: string, aliases: readonly string[]) =>
      ada.signedIn.must('POST', '/api/websites', { domain, type: 'static', aliases })
    const index = (domain: string, text: string) =>
      write(ada, 'ada', `sites/${domain}/public/index.html`, text)
    await site('wild.example.com', ['*.wild.example.com'])
    await site('exact.wild.example.com', [])
    await index('wild.example.com', 'wild')
    await index('exact.wild.example.com', 'exact')
    for (const [name, text] of [
      ['any.wild.example.com', 'wild'],
      ['deep.any.wild.example.com', 'wild'],
      ['exact.wild.example.com', 'exact'],
    ] as const)
      assert.equal((await visit(host, name)).text, text, name)
    const below = { domain: 'login.wild.example.com', type: 'static' }
    const { status, message } = await bob.signedIn.ask('POST', '/api/websites', below)
    assert.equal(status, 400)
    assert.match(message ?? '', /is below (\*\.)?wild\.example\.com, which belongs to another owner/)
  })

  it('redirect, and answer 503 in maintenance', async () => {
    const path = `/api/websites/${adaSite}`
    const redirects = [
      { from: '/old', to: '/new', code: 302 },
      { from: '/alte%20seite', to: '/new' },
      { from: '/blog', to: 'https://blog.example.com/posts/', prefix: true },
    ]
    await ada.signedIn.must('PATCH', path, { redirects })
    assert.equal((await visit(host, 'ada.example.com', '/old')).status, 302)
    assert.equal((await visit(host, 'ada.example.com', '/alte%20seite')).status, 301)
    const target = async (path: string) => {
      const { status, headers } = await host.request({ path, headers: { Host: 'ada.example.com' } })
      return [status, headers.location]
    }
    const posts = 'https://blog.example.com/posts/'
    assert.deepEqual(await target('/blog'), [301, posts])
    assert.deepEqual(await target('/blog/a/post.php?x=1'), [301, `${posts}a/post.php?x=1`])
    assert.deepEqual(await target('/blog/a%0d%0aX-Header:%20x'), [404, undefined])
    assert.deepEqual(await target('/blog/caf%C3%A9%20a'), [301, `${posts}caf%C3%A9%20a`])
    assert.notEqual((await target('/blogger'))[0], 301)
    await ada.signedIn.must('PATCH', path, { maintenance: true })
    assert.equal((await visit(host, 'ada.example.com')).status, 503)
    await ada.signedIn.must('PATCH', path, { maintenance: false })
    assert.match(await run('/'), /^front:/)
  })

  it('send modules of JavaScript as such, and headers of 12 KB', async () => {
    await write(ada, 'ada', 'sites/ada.example.com/public/app.mjs', 'export const answer = 42')
    const head = ['curl', '--silent', '--head', '--header', 'Host: ada.example.com'] as const
    const { stdout } = await host.must([...head, 'http://127.0.0.1/app.mjs'])
    assert.match(stdout, /^content-type: text\/javascript/im)
    await php('large.php', "header('X-Policy: ' . str_repeat('a', 12000)); echo 'large';")
    assert.equal((await visit(host, 'ada.example.com', '/large.php')).status, 200)
  })

  it('ask for a password below a folder, of pages that PHP makes too, and never show it again', async () => {
    const path = `/api/websites/${adaSite}`
    await host.must([
      'runuser',
      '-u',
      'ada',
      '--',
      'mkdir',
      '-p',
      '/home/ada/sites/ada.example.com/public/private',
    ])
    await php('private/page.php', "echo 'for ', $_SERVER['REMOTE_USER'];")
    const users = [{ username: 'bob', password: 'correct horse' }]
    await ada.signedIn.must('PATCH', path, { basic_auth: [{ folder: '/private/', users }] })
    const ask = (password?: string, page = '/private/page.php') => {
      const authorization =
        password === undefined
          ? {}
          : { Authorization: `Basic ${Buffer.from(`bob:${password}`).toString('base64')}` }
      return host.request({ path: page, headers: { Host: 'ada.example.com', ...authorization } })
    }
    for (const page of [
      '/private/page.php',
      '/private',
      '/private/no-such',
      '/index.php/private',
      '/index.php/private/x',
      '//private/page.php',
      '/x/../private/page.php',
    ])
      assert.equal((await ask(undefined, page)).status, 401, page)
    assert.equal((await ask('wrong')).status, 401)
    assert.equal((await ask('correct horse')).text, 'for bob')
    const shown = (await ada.signedIn.must('GET', path)).basic_auth
    assert.deepEqual(shown, [{ folder: '/private/', users: [{ username: 'bob', password: '••••••••' }] }])
    await ada.signedIn.must('PATCH', path, { basic_auth: shown })
    assert.equal((await ask('correct horse')).text, 'for bob')
    const missing = { basic_auth: [{ folder: '/private/', users: [{ username: 'eve' }] }] }
    assert.match(
      (await ada.signedIn.ask('PATCH', path, missing)).message ?? '',
      /^basic_auth: the user eve of .* needs/,
    )
    const files = (...print: string[]) =>
      host.must(['find', '/etc/nginx/hostreeve/passwords', '-type', 'f', ...print])
    assert.equal((await files('-printf', '%m %u:%g')).stdout, '640 root:www-data')
    await ada.signedIn.must('PATCH', path, { basic_auth: [] })
    assert.equal((await ask()).status, 200)
    assert.equal((await files()).stdout, '')
  })

  const finished = async (path: string, version: string) => {
    const { job_id } = await admin.must('POST', `/api/settings/php/${path}`, { version })
    const end = (await admin.followJob(job_id)).at(-1)
    assert.equal(end?.['state'], 'succeeded', JSON.stringify(end))
  }

  it('run in another version of PHP, which is installed and started', async () => {
    await offerSecondPhp(host)
    await finished('install', '7.4')
    assert.equal((await host.must(['systemctl', 'is-active', 'php7.4-fpm'])).stdout, 'active\n')
    await php('version.php', "echo PHP_MAJOR_VERSION, ' ', ini_get('user_agent'), ' ', posix_geteuid();")
    await ada.signedIn.must('PATCH', `/api/websites/${adaSite}`, { php_version: '7.4' })
    const uid = (await host.must(['id', '-u', 'ada'])).stdout.trim()
    assert.equal(await run('/version.php'), `7  ${uid}`)
    assert.notEqual((await host.exec(['systemctl', 'is-active', 'hostreeve-php8.2-ada'])).code, 0)
    const { versions } = await admin.must('GET', '/api/settings/php/available')
    assert.deepEqual(
      versions.map((each: any) => [each.version, each.installed, each.websites]),
      [
        ['8.2', true, 1],
        ['7.4', true, 1],
      ],
    )
  })

  it('take what php.ini says once it was edited, and nothing that PHP refuses', async () => {
    const path = join(host.rootPath, 'etc/php/7.4/fpm/php.ini')
    const was = await readFile(path, 'latin1')
    const set = (settings: object) => admin.ask('POST', '/api/settings/php/7.4/config', { settings })
    assert.equal((await set({ user_agent: 'of the host', 'date.timezone': 'Europe/Berlin' })).status, 200)
    const now = await readFile(path, 'latin1')
    assert.equal(now.split('\n').length, was.split('\n').length + 2)
    assert.match(await run('/version.php'), /^7 of the host /)
    const { directives } = await admin.must('GET', '/api/settings/php/7.4/config')
    const named = (name: string) => directives.find((each: any) => each.name === name)
    assert.deepEqual(
      [named('user_agent').effective, named('user_agent').source],
      ['of the host', '/etc/php/7.4/fpm/php.ini'],
    )
    assert.deepEqual(
      [named('memory_limit').effective, named('memory_limit').is_set_per_website],
      ['128M', true],
    )
    for (const [settings, reason] of [
      [{ 'date.timezone': 'Mars/Base' }, /date\.timezone/],
      [{ memory_limit: 'much' }, /must be a number of bytes/],
      [{ 'no.such': '1' }, /has no directive/],
      [{ 'opcache.enable': 'perhaps' }, /must be On or Off/],
    ] as const)
      assert.match((await set(settings)).message, reason)
    assert.equal(await readFile(path, 'latin1'), now)
  })

  it('lose functions and settings that are disabled, but for exceptions', async () => {
    await php(
      'rules.php',
      "echo json_encode([function_exists('exec') && is_callable('exec'), ini_get('allow_url_fopen')]);",
    )
    await write(
      bob,
      'bob',
      'sites/bob.example.com/public/rules.php',
      "<?php echo json_encode([is_callable('exec'), ini_set('allow_url_fopen', '1'), ini_get('allow_url_fopen')]);",
    )
    const ofBob = async () => JSON.parse((await visit(host, 'bob.example.com', '/rules.php')).text)
    await admin.must('POST', '/api/settings/php-security', {
      disabled_functions: ['exec', 'system'],
      settings: { allow_url_fopen: 'Off' },
      exceptions: [{ website_id: adaSite, functions: ['exec'], settings: ['allow_url_fopen'] }],
    })
    assert.deepEqual(JSON.parse(await run('/rules.php')), [true, '1'])
    assert.deepEqual(await ofBob(), [false, false, 'Off'])
    const bobs = `/api/websites/${bobSite}`
    await admin.must('PATCH', bobs, { php_settings: { disable_functions: 'passthru' } })
    await write(
      bob,
      'bob',
      'sites/bob.example.com/public/both.php',
      "<?php echo json_encode([is_callable('exec'), is_callable('passthru'), is_callable('strlen')]);",
    )
    assert.equal((await visit(host, 'bob.example.com', '/both.php')).text, '[false,false,true]')
    await admin.must('PATCH', bobs, { php_settings: {} })
    await admin.must('POST', '/api/settings/php-security', {
      disabled_functions: [],
      settings: {},
      exceptions: [],
    })
    assert.deepEqual(await ofBob(), [true, false, '1'])
  })

  it('keep the version that they use, and let others be removed', async () => {
    const refused = await admin.ask('POST', '/api/settings/php/remove', { version: '7.4' })
    assert.deepEqual([refused.status, refused.code], [409, 'conflict'])
    assert.match(refused.message, /used by ada\.example\.com/)
    await ada.signedIn.must('PATCH', `/api/websites/${adaSite}`, { php_version: '8.2' })
    assert.match(await run('/version.php'), /^8 {2}/)
    await finished('remove', '7.4')
    assert.notEqual((await host.exec(['ls', '/usr/sbin/php-fpm7.4'])).code, 0)
    const unknown = await admin.ask('POST', '/api/settings/php/install', { version: '9.9' })
    assert.deepEqual([unknown.status, unknown.code], [400, 'bad_request'])
  })

  it('are counted by the hour, with their slowest paths', async () => {
    const bobs = await bob.signedIn.must('GET', `/api/websites/${bobSite}/statistics`)
    await write(bob, 'bob', 'sites/bob.example.com/public/slow.php', '<?php usleep(1200000); echo 1;')
    for (const path of ['/', '/slow.php?token=secret', '/a', '/.env'])
      await visit(host, 'bob.example.com', path)
    const read = () => bob.signedIn.must('GET', `/api/websites/${bobSite}/statistics`)
    const counted = (requests: number) =>
      poll('the log to be written', 5000, async () => {
        const found = await read()
        return found.requests === requests ? found : undefined
      })
    const now = await counted(bobs.requests + 4)
    assert.deepEqual(
      [now.statuses['2xx'], now.statuses['4xx']],
      [bobs.statuses['2xx'] + 3, bobs.statuses['4xx'] + 1],
    )
    assert.equal(now.slowest[0].path, '/slow.php')
    assert.ok(now.slowest[0].seconds >= 1.2 && now.bytes > bobs.bytes)
    await host.must(['logrotate', '--force', '/etc/logrotate.d/hostreeve-nginx'])
    await visit(host, 'bob.example.com')
    await counted(now.requests + 1)
    const shown = await admin.ask('GET', `/api/websites/${bobSite}/statistics?hours=0`)
    assert.deepEqual([shown.status, shown.code], [400, 'bad_request'])
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/traffic.md'), 'utf8'))
    assert.match(await runAll(host, panel, blocks), /"requests":1,/)
  })

  describe('that move', () => {
    let id: number
    const uidOf = async (name: string) => (await host.must(['id', '-u', name])).stdout.trim()
    const text = async (domain: string, path = '/') => (await visit(host, domain, path)).text
    const asOwner = (owner: string, ...argv: string[]) => host.exec(['runuser', '-u', owner, '--', ...argv])

    before(async () => {
      const draft = {
        domain: 'first.example.com',
        type: 'php',
        aliases: ['alias.example.com', 'kept.example.com'],
      }
      id = (await ada.signedIn.must('POST', '/api/websites', draft)).id
      await write(ada, 'ada', 'sites/first.example.com/public/index.php', frontController)
      const script =
        'cd sites/first.example.com && ln -s public/index.php link && printf x >tool && chmod 750 tool && touch php/sessions/sess_secret'
      assert.equal((await asOwner('ada', 'env', '-C', '/home/ada', 'sh', '-c', script)).code, 0)
      await ada.signedIn.must('PUT', `/api/websites/${id}/crontab`, {
        crontab: 'MAILTO=ada\n0 4 * * * true',
      })
      assert.match(await text('first.example.com', '/before'), /^front:\/before/)
    })

    after(async () => {
      const { items } = await admin.must('GET', '/api/websites?search=example.com&per_page=100')
      for (const each of items)
        if (/^(?:copy|alias)\./.test(each.domain)) await admin.must('DELETE', `/api/websites/${each.id}`)
    })

    it('take their files, logs and PHP to another domain', async () => {
      const taken = await ada.signedIn.ask('PATCH', `/api/websites/${id}`, { domain: 'bob.example.com' })
      assert.deepEqual([taken.status, taken.code], [400, 'bad_request'])
      await asOwner('ada', 'mkdir', '/home/ada/sites/there.example.com')
      const there = await ada.signedIn.ask('PATCH', `/api/websites/${id}`, { domain: 'there.example.com' })
      assert.deepEqual([there.status, there.code], [409, 'conflict'])
      const both = await ada.signedIn.ask('PATCH', `/api/websites/${id}`, {
        domain: 'next.example.com',
        hsts: false,
      })
      assert.match(both.message, /^hsts: change the domain and the owner without other fields/)
      assert.match(await text('first.example.com'), /^front:/)
      await admin.must('PATCH', `/api/websites/${id}`, { shared_subdomains: true })
      const moved = await ada.signedIn.must('PATCH', `/api/websites/${id}`, { domain: 'alias.example.com' })
      assert.deepEqual([moved.domain, moved.aliases], ['alias.example.com', ['kept.example.com']])
      const { shared_subdomains: isShared } = await admin.must('GET', `/api/websites/${id}`)
      assert.equal(isShared, false)
      assert.match(await text('alias.example.com', '/after'), /^front:\/after/)
      assert.match(await text('kept.example.com'), /^front:/)
      assert.doesNotMatch(await text('first.example.com'), /^front:/)
      const lines = await ada.signedIn.must('GET', `/api/websites/${id}/logs?lines=10`)
      assert.match(JSON.stringify(lines), /\/before.*\/after/)
      assert.notEqual((await asOwner('ada', 'ls', '/home/ada/sites/first.example.com')).code, 0)
      assert.notEqual((await asOwner('ada', 'readlink', '/home/ada/logs/first.example.com')).code, 0)
      assert.match(
        (await asOwner('ada', 'cat', '/home/ada/logs/alias.example.com/access.log')).stdout,
        /after/,
      )
    })

    it('are copied with their settings, and live on their own', async () => {
      await ada.signedIn.must('PATCH', `/api/websites/${id}`, { limits: { memory_mb: 99 } })
      const draft = { domain: 'copy.example.com' }
      const { job_id } = await ada.signedIn.must('POST', `/api/websites/${id}/clone`, draft)
      assert.equal((await ada.signedIn.followJob(job_id)).at(-1)?.['state'], 'succeeded')
      await write(
        ada,
        'ada',
        'sites/copy.example.com/public/index.php',
        "<?php echo ini_get('memory_limit');",
      )
      assert.equal(await text('copy.example.com'), '99M')
      assert.match(await text('alias.example.com'), /^front:/)
      const again = await ada.signedIn.ask('POST', `/api/websites/${id}/clone`, draft)
      assert.deepEqual([again.status, again.code], [400, 'bad_request'])
      const forBob = { domain: 'other.example.com', username: 'bob' }
      assert.equal((await ada.signedIn.ask('POST', `/api/websites/${id}/clone`, forBob)).status, 403)
      assert.equal((await bob.signedIn.ask('POST', `/api/websites/${id}/clone`, draft)).status, 404)
    })

    it('leave nothing with their former owner', async () => {
      const path = `/api/websites/${id}`
      assert.equal((await ada.signedIn.ask('PATCH', path, { username: 'bob' })).status, 403)
      assert.equal((await admin.ask('PATCH', path, { username: 'nobody-here' })).status, 400)
      await admin.must('PATCH', path, { username: 'bob' })
      assert.match(await text('alias.example.com'), new RegExp(`^front:/:/:${await uidOf('bob')}$`))
      const listed = await asOwner(
        'bob',
        'stat',
        '-c',
        '%U:%G %a %N',
        ...['link', 'tool', 'public/index.php'].map((name) => `/home/bob/sites/alias.example.com/${name}`),
      )
      assert.match(listed.stdout, /^bob:bob 777 .* -> 'public\/index.php'\nbob:bob 750 .*\nbob:bob 644 /)
      const left = await host.exec([
        'find',
        '/home/ada',
        '/home/bob',
        '-name',
        'sess_secret',
        '-o',
        '-path',
        '/home/ada/sites/alias.example.com',
        '-o',
        '-name',
        '.hostreeve-copy-*',
      ])
      assert.equal(left.stdout, '')
      assert.equal((await ada.signedIn.ask('GET', path)).status, 404)
      const log = '/var/log/hostreeve/sites/alias.example.com/access.log'
      assert.notEqual((await asOwner('ada', 'cat', log)).code, 0)
      const shown = await asOwner('bob', 'cat', log)
      assert.ok(shown.code === 0 && !/after/.test(shown.stdout), shown.stdout)
      const { crontab } = await bob.signedIn.must('GET', `${path}/crontab`)
      assert.equal(crontab, '# MAILTO=ada\n0 4 * * * true')
      assert.match(
        (await host.must(['cat', `/etc/cron.d/hostreeve-site-${id}`])).stdout,
        /^0 4 \* \* \* bob /m,
      )
      assert.equal(
        (await host.exec(['ls', '/etc/php/8.2/fpm/hostreeve/ada'])).stdout.includes(`site-${id}.conf`),
        false,
      )
    })
  })

  it('are limited in their number, and in what the processes of their owner use', async () => {
    const set = (limits: object) =>
      admin.must('POST', '/api/limits', { users: [{ user_id: bob.userId, limits }] })
    await set({ websites: 1, cpu_percent: 50, memory_mb: 256, tasks: 60 })
    const draft = { domain: 'second.example.com', type: 'static' }
    const refused = await bob.signedIn.ask('POST', '/api/websites', draft)
    assert.deepEqual([refused.status, refused.code], [403, 'limit_reached'])
    const given = await admin.ask('PATCH', `/api/websites/${adaSite}`, { username: 'bob' })
    assert.deepEqual([given.status, given.code], [403, 'limit_reached'])
    const uid = (await host.must(['id', '-u', 'bob'])).stdout.trim()
    const properties = '--property=CPUQuotaPerSecUSec,MemoryMax,TasksMax'
    const shown = async () => (await host.must(['systemctl', 'show', properties, `user-${uid}.slice`])).stdout
    assert.deepEqual((await shown()).trim().split('\n').toSorted(), [
      'CPUQuotaPerSecUSec=500ms',
      'MemoryMax=268435456',
      'TasksMax=60',
    ])
    const { reason, users } = await bob.signedIn.must('GET', '/api/limits')
    assert.match(reason, /has no cgroup controller for/)
    assert.deepEqual([users.length, users[0].usage.websites, users[0].limits.tasks], [1, 1, 60])
    await set({})
    assert.match(await shown(), /MemoryMax=infinity/)
    const { id } = await bob.signedIn.must('POST', '/api/websites', draft)
    await bob.signedIn.must('DELETE', `/api/websites/${id}`)
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/limits.md'), 'utf8'))
    assert.match(await runAll(host, panel, blocks), /TasksMax=200/)
    await admin.must('POST', '/api/limits', { packages: [], users: [{ user_id: ada.userId }] })
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/php-and-proxies.md'), 'utf8'))
    assert.match(await runAll(host, panel, blocks), /256M\n/)
    const { items } = await admin.must('GET', '/api/websites?search=blog.example.com')
    await admin.must('DELETE', `/api/websites/${items[0].id}`)
  })

  it('are served again after php-fpm was killed, and stop when they are deleted', async () => {
    const unit = 'hostreeve-php8.2-ada'
    await host.must(['systemctl', 'kill', '-s', 'KILL', unit])
    await poll(
      'PHP to be served again',
      10_000,
      async () => (await run('/')).startsWith('front:') || undefined,
    )
    await host.must([
      'rm',
      '-r',
      '/etc/php/8.2/fpm/hostreeve/ada',
      '/etc/nginx/hostreeve/sites/ada.example.com.conf',
    ])
    await host.must(['systemctl', 'stop', unit])
    await admin.must('POST', '/api/system/rewrite-all', {})
    assert.match(await run('/'), /^front:/)
    await ada.signedIn.must('DELETE', `/api/websites/${adaSite}`)
    assert.notEqual((await host.exec(['systemctl', 'is-active', unit])).code, 0)
    assert.notEqual((await host.exec(['ls', '/etc/php/8.2/fpm/hostreeve/ada.conf'])).code, 0)
    assert.match((await visit(host, 'bob.example.com')).text, /^front:/)
  })
})
