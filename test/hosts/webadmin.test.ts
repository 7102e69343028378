import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publishedLayout } from '../support/phpmyadmin.ts'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, HttpResponse, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { offer, sourceUrl, startSource } from './story/phpmyadmin-source.ts'
import { holdPort } from './story/port-holder.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const folder = '/var/lib/hostreeve-webadmin'
const account = 'hostreeve-webadmin'
const port = 7443

describe('the web admin of the SQL server', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  before(async () => {
    host = await bootHost('webadmin', { image: 'mariadb' })
    await startSource(host)
    panel = await startPanel(host, { env: { HOSTREEVE_WEBADMIN_URL: sourceUrl } })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    const installed = await admin.ask('POST', '/api/sqldb/install', {})
    assert.equal(installed.status, 200, installed.message)
    ada = await admin.makeOwner('ada')
    await ada.signedIn.must('POST', '/api/websites', { domain: 'ada.example.com', type: 'php' })
  })
  after(() => host?.remove())

  const ask = (method: string, path = '', body?: unknown) =>
    admin.ask(method, `/api/sqldb/webadmin${path}`, body)
  const at = (path: string) => join(host.rootPath, path)
  const fetch = (path: string, cookie?: string): Promise<HttpResponse> =>
    host.request({ port, path, tls: {}, ...(cookie !== undefined && { headers: { Cookie: cookie } }) })
  const path = async (): Promise<string> => (await ask('GET')).data.path
  const address = async (): Promise<string> => {
    const { status, data, message } = await ask('POST', '/login', { db_user: 'root' })
    assert.equal(status, 200, message)
    const url = new URL(data.url)
    assert.equal(url.port, String(port))
    return url.pathname + url.search
  }
  const tokens = async () => (await readdir(at(`${folder}/tokens`))).map((name) => `${folder}/tokens/${name}`)
  const assertNothing = async () => {
    for (const left of [
      folder,
      '/etc/nginx/hostreeve/sites/hostreeve-webadmin.conf',
      `/etc/php/8.2/fpm/hostreeve/${account}.conf`,
    ])
      assert.ok(!existsSync(at(left)), left)
    assert.notEqual((await host.exec(['getent', 'passwd', account])).code, 0)
    assert.deepEqual((await ask('GET')).data, { installed: false, version: null, path: null, url: null })
  }
  const signedIn = async () => {
    const { status, headers } = await fetch(await address())
    assert.deepEqual([status, headers.location], [303, './index.php'])
    const [cookie = ''] = headers['set-cookie'] ?? []
    assert.match(cookie, /; secure; HttpOnly; SameSite=Lax/i)
    return cookie.split(';')[0] ?? ''
  }

  it('installs nothing from an archive with another checksum', async () => {
    await offer(host, publishedLayout('5.2.1', { sha256: '0'.repeat(64) }))
    const { status, code, message } = await ask('POST', '/install')
    assert.deepEqual([status, code], [500, 'download_error'], message)
    assert.match(message, /SHA-256/)
    await assertNothing()
  })

  it('leaves nothing where its port is in use', async () => {
    await offer(host, publishedLayout('5.2.1'))
    const release = await holdPort(host, port, '0.0.0.0')
    const { status, code, message } = await ask('POST', '/install')
    assert.deepEqual([status, code], [500, 'config_failed'], message)
    assert.match(message, /7443/)
    await release()
    await assertNothing()
    assert.notEqual(
      (await host.exec(['systemctl', 'is-active', `hostreeve-php8.2-${account}`])).stdout,
      'active\n',
    )
  })

  it('is installed and signs in as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/webadmin.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"path":"\/[a-z0-9]{14}\/"/)
    assert.match(output, /"version":"5\.2\.1","user":"root@localhost"/)
    assert.match(output, /"old_version":"5\.2\.1","new_version":"5\.2\.1"/)
  })

  it('is served below its path alone, over TLS, without its inner files', async () => {
    const alias = await path()
    const { status, headers } = await fetch(alias)
    assert.deepEqual([status, headers.location], [302, 'signon.php'])
    for (const hidden of [
      'config.inc.php',
      'libraries/secret.php',
      'setup/index.php',
      'vendor/',
      '.git/config',
      'index.php/x',
    ])
      assert.equal((await fetch(alias + hidden)).status, 404, hidden)
    for (const other of ['/', '/index.php', '/phpmyadmin/', alias.toUpperCase()])
      assert.equal((await fetch(other)).status, 404, other)
    const plain = await host.request({ port, path: alias })
    assert.match(String(plain.headers.location), /^https:/)
    assert.equal((await visit(host, '127.0.0.1', alias)).status, 404)
  })

  it('signs in once, as an account of the host that owns nothing else', async () => {
    const once = await address()
    const first = await fetch(once)
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    const page = (await fetch(`${await path()}index.php`, cookie.split(';')[0])).json() as Record<
      string,
      unknown
    >
    const uid = Number((await host.must(['id', '-u', account])).stdout)
    assert.deepEqual(page, { version: '5.2.1', user: 'root@localhost', uid, has_folder: true, secret: 32 })
    assert.ok(uid > 0 && uid < 1000)
    const second = await fetch(once)
    assert.deepEqual([second.status, second.headers['set-cookie']], [403, undefined])
    assert.match(second.text, /used before or has expired/)
    assert.deepEqual(await tokens(), [])
  })

  it('lets one of several requests in that bring the same token at the same time', async () => {
    const once = await address()
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(once)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
      303,
      ...Array.from({ length: 7 }, () => 403),
    ])
  })

  it('refuses an expired token, removes its file, and refuses what is none', async () => {
    const once = await address()
    const [file = ''] = await tokens()
    const content = JSON.parse(await readFile(at(file), 'utf8'))
    const issued = (await stat(at(file))).mtimeMs / 1000
    assert.ok(content.expires <= issued + 60)
    await writeFile(at(file), JSON.stringify({ ...content, expires: 1 }))
    assert.equal((await fetch(once)).status, 403)
    assert.deepEqual(await tokens(), [])
    const script = `${await path()}signon.php`
    for (const query of [
      '',
      '?token=',
      '?token=..%2F..%2Fconfig.inc.php',
      `?token[]=${'a'.repeat(64)}`,
      `?token=${'0'.repeat(64)}`,
    ])
      assert.equal((await fetch(script + query)).status, 403, query)
  })

  it('keeps its one-time files, its configuration and its pool from the PHP of websites', async () => {
    await address()
    const [file = ''] = await tokens()
    const { mode, uid } = await stat(at(file))
    assert.equal(mode & 0o777, 0o600)
    assert.equal(uid, (await stat(at(`${folder}/php`))).uid)
    const socket = `/run/hostreeve-php/${account}-8.2/site-1.sock`
    const paths = [file, `${folder}/config.inc.php`, `${folder}/php`]
    const code = `<?php echo json_encode([
      ${paths.map((each) => `@file_get_contents('${each}'), @shell_exec('cat ${each} 2>&1')`).join(',\n')},
      @scandir('${folder}/tokens'), @stream_socket_client('unix://${socket}') === false,
    ]);`
    const script = 'sites/ada.example.com/public/attack.php'
    await ada.signedIn.must('POST', '/api/filemanager/write', {
      username: 'ada',
      path: script,
      content: code,
    })
    const seen = JSON.parse((await visit(host, 'ada.example.com', '/attack.php')).text) as readonly unknown[]
    const [isRefused, ...found] = seen.toReversed()
    assert.equal(isRefused, true)
    for (const each of found)
      assert.ok(!/root|password|cfg/.test(String(each).replace(/cat: .*/g, '')), String(each))
    for (const each of paths) {
      const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--', 'cat', each] as const
      assert.match((await host.exec(asAda)).stderr, /Permission denied/)
    }
    const listing = [
      'setpriv',
      '--reuid=ada',
      '--regid=ada',
      '--clear-groups',
      '--',
      'ls',
      `${folder}/tokens`,
    ] as const
    assert.match((await host.exec(listing)).stderr, /Permission denied/)
  })

  it('cannot change its own program', async () => {
    const asAccount = ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--clear-groups', '--'] as const
    const program = `${folder}/versions/5.2.1/phpMyAdmin-5.2.1-all-languages/index.php`
    for (const each of [program, `${folder}/config.inc.php`, `${folder}/new`])
      assert.match((await host.exec([...asAccount, 'touch', each])).stderr, /Permission denied/, each)
    assert.match((await host.exec([...asAccount, 'ls', `${folder}/tokens`])).stderr, /Permission denied/)
  })

  it('is updated with its path, its configuration and its sessions', async () => {
    const [alias, cookie] = [await path(), await signedIn()]
    await appendFile(at(`${folder}/config.inc.php`), `$cfg['MaxRows'] = 77;\n`)
    await offer(host, publishedLayout('5.2.2'))
    const { status, bytes } = await ask('POST', '/update')
    assert.deepEqual(
      [status, JSON.parse(bytes.toString())],
      [200, { success: true, old_version: '5.2.1', new_version: '5.2.2' }],
    )
    assert.equal(await path(), alias)
    const page = (await fetch(`${alias}index.php`, cookie)).json() as Record<string, unknown>
    assert.deepEqual([page['version'], page['user']], ['5.2.2', 'root@localhost'])
    assert.match(await readFile(at(`${folder}/config.inc.php`), 'utf8'), /MaxRows/)
    assert.deepEqual(await readdir(at(`${folder}/versions`)), ['5.2.2'])
  })

  it('is served again after a reboot of the host', async () => {
    await host.reboot()
    await panel.start()
    admin = await SignedIn.as(panel)
    const page = await fetch(`${await path()}index.php`, await signedIn())
    assert.equal((page.json() as Record<string, unknown>)['user'], 'root@localhost')
  })
})
