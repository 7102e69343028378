import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, HttpResponse, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { type Answer, type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'
import { serveUpdateApi } from './story/wordpress-org.ts'

const blog = 'blog.example.com'
const root = `/home/ada/sites/${blog}/public`
const plugins = `${root}/wp-content/plugins`

/** A plugin that shows its version in the head of each page. */
const pluginOf = (version: string, more = ''): string => `<?php
/*
Plugin Name: Probe
Version: ${version}
*/
add_action('wp_head', function () { echo '<meta name="probe" content="${version}">'; });
${more}
`

describe('WordPress', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  let id: number
  before(async () => {
    host = await bootHost('wp', { image: 'phpPools' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    const installed = await ada.signedIn.must('POST', '/api/applications', {
      ...{ application: 'wordpress', domain: blog, email: 'ada@example.com', certificate: 'none' },
    })
    id = installed.website_id
    await asAda(`mkdir ${plugins}/probe`)
    await write(`${plugins}/probe/probe.php`, pluginOf('1.0'))
    await archive('probe-2.zip', pluginOf('2.0'))
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const asAda = async (script: string) =>
    (
      await host.must([
        'setpriv',
        ...['--reuid=ada', '--regid=ada', '--clear-groups', '--'],
        ...['env', 'HOME=/home/ada', 'sh', '-ec', `cd; ${script}`],
      ])
    ).stdout
  const write = async (path: string, content: string) => {
    await asAda(`: >'${path}'`)
    await writeFile(at(path), content)
  }
  /** A zip archive in the home with the folder `probe`, or another one. */
  const archive = async (name: string, content: string, folder = 'probe') => {
    await asAda(`mkdir -p made/${folder}`)
    await write(`/home/ada/made/${folder}/probe.php`, content)
    await asAda(`cd made; rm -f ~/${name}; zip -qr ~/${name} ${folder}; rm -r ${folder}`)
  }
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ada.signedIn.ask(method, `/api/wordpress/${id}${path}`, body)
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, code, message } = await ask(method, path, body)
    assert.equal(status, 200, `${code}: ${message}`)
    return data
  }
  const update = (path: string, more: object = {}) =>
    ask('POST', '/updates', { items: [{ kind: 'plugin', name: 'probe/probe.php', path }], ...more })
  const state = (name: string, active: boolean, kind = 'plugin') =>
    ask('POST', '/state', { kind, name, active })
  const probe = async (): Promise<any> => {
    const { plugins: found } = await must('GET', '')
    return found.find(({ name }: { readonly name: string }) => name === 'probe/probe.php')
  }
  const shown = async (): Promise<string | undefined> =>
    /<meta name="probe" content="([^"]*)"/.exec((await visit(host, blog)).text)?.[1]
  const installed = () => readFile(at(`${plugins}/probe/probe.php`), 'utf8').catch(() => '')
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const option = async (name: string) => {
    const [database] = (await query("show databases like 'ada%'")).split('\n')
    return query(`select option_value from ${database}.wp_options where option_name = '${name}'`)
  }

  it('is found where the panel installed it and where its owner put it, by its owner alone', async () => {
    await ada.signedIn.must('POST', '/api/websites', { domain: 'own.example.com', type: 'php' })
    await asAda(`cp -r ${root}/. sites/own.example.com/public/`)
    const { items } = await ada.signedIn.must('GET', '/api/wordpress')
    assert.deepEqual(
      items.map((each: any) => [each.domain, each.is_installed_by_panel]),
      [
        [blog, true],
        ['own.example.com', false],
      ],
    )
    assert.match(items[0].version, /^6\.\d/)
    assert.equal((await admin.must('GET', '/api/wordpress?search=own')).total, 1)
    assert.equal((await bob.signedIn.must('GET', '/api/wordpress')).total, 0)
    assert.equal((await bob.signedIn.ask('GET', `/api/wordpress/${id}`)).status, 404)
    const { id: own } = (await ada.signedIn.must('GET', '/api/websites?search=own.example.com')).items[0]
    for (const [path, more] of [
      ['updates', { path: 'probe-2.zip' }],
      ['deletions', {}],
    ] as const) {
      const { status, code, message } = await ada.signedIn.ask('POST', `/api/wordpress/${own}/${path}`, {
        ...{ items: [{ kind: 'plugin', name: 'probe/probe.php', ...more }], check_site: false },
      })
      assert.deepEqual([status, code], [409, 'conflict'], message)
      assert.match(message, /names the database ada\w*, which is not one of the website: associate it first/)
    }
    await ada.signedIn.must('DELETE', `/api/websites/${own}?files=remove&databases=keep`)
  })

  it('tells its plugins and themes, and is not kept from it by what breaks them', async () => {
    const found = await must('GET', '')
    assert.deepEqual([found.new_version, found.administrators], [null, ['admin']])
    assert.deepEqual(await probe(), {
      ...{ name: 'probe/probe.php', title: 'Probe', version: '1.0' },
      ...{ is_active: false, is_needed: false, new_version: null },
    })
    const theme = found.themes.find((each: any) => each.is_active)
    assert.equal(theme.name, 'twentytwentythree')
    assert.deepEqual(found.hardening, {
      ...{ no_php_in_uploads: true, no_file_editing: true, no_xmlrpc: false, limited_sign_ins: false },
    })
    assert.ok(!JSON.stringify(found).includes('package'))
    await rename(at(`${root}/wp-settings.php`), at(`${root}/away.php`))
    const broken = await ask('GET', '')
    await rename(at(`${root}/away.php`), at(`${root}/wp-settings.php`))
    assert.deepEqual([broken.status, broken.code], [502, 'wordpress_failed'])
    assert.match(broken.message, /^WordPress: .*wp-settings\.php/)
  })

  it('says that it cannot look for updates, and finds them where it can', async () => {
    await appendFile(at('etc/hosts'), '127.0.0.1 api.wordpress.org\n')
    const unreachable = await ask('POST', '/check')
    assert.deepEqual([unreachable.status, unreachable.code], [502, 'check_failed'])
    assert.match(unreachable.message, /^api\.wordpress\.org did not answer/)
    await serveUpdateApi(host, bob, 'https://127.0.0.1/wordpress-99.1.zip')
    assert.deepEqual(await must('POST', '/check'), { core: '99.1', plugins: 1, themes: 0 })
    const found = await must('GET', '')
    assert.equal(found.new_version, '99.1')
    assert.ok(found.checked_at !== null)
    assert.equal((await probe()).new_version, '9.0')
  })

  it('activates a plugin and deactivates it', async () => {
    assert.equal((await state('probe/probe.php', true)).status, 200)
    assert.equal(await shown(), '1.0')
    assert.equal((await state('probe/probe.php', false)).status, 200)
    assert.equal(await shown(), undefined)
    const unknown = await state('none/none.php', true)
    assert.deepEqual([unknown.status, unknown.code], [400, 'bad_request'])
    assert.match(unknown.message, /^name: there is no plugin none\/none\.php/)
  })

  it('takes a plugin back that does not load, or breaks the website', async () => {
    await asAda(`mkdir ${plugins}/unsound`)
    for (const [code, message] of [
      ['syntax error here;', /Parse error|critical error|syntax error/],
      ["add_action('init', fn () => is_admin() || PHP_SAPI === 'cli' ? 0 : none());", /answered 500/],
    ] as const) {
      await write(`${plugins}/unsound/unsound.php`, pluginOf('1.0', code).replace('Probe', 'Unsound'))
      const answer = await state('unsound/unsound.php', true)
      assert.deepEqual([answer.status, answer.code], [500, 'activation_failed'], answer.message)
      assert.match(answer.message, message)
      assert.equal((await visit(host, blog)).status, 200)
    }
    await asAda(`rm -r ${plugins}/unsound`)
  })

  it('replaces the theme', async () => {
    await asAda(`mkdir ${root}/wp-content/themes/bare`)
    await write(`${root}/wp-content/themes/bare/style.css`, '/*\nTheme Name: Bare\nVersion: 1.0\n*/\n')
    await write(`${root}/wp-content/themes/bare/index.php`, '<?php echo "the bare theme";\n')
    assert.equal((await state('bare', true, 'theme')).status, 200)
    assert.match((await visit(host, blog)).text, /the bare theme/)
    assert.equal((await state('twentytwentythree', true, 'theme')).status, 200)
    assert.doesNotMatch((await visit(host, blog)).text, /the bare theme/)
    assert.equal((await state('bare', false, 'theme')).code, 'conflict')
  })

  it('updates a plugin from an archive in the home, once a backup was made', async () => {
    await state('probe/probe.php', true)
    const answer = await update('probe-2.zip')
    assert.equal(answer.status, 200, `${answer.code}: ${answer.message}`)
    assert.deepEqual(answer.data.items, [
      { kind: 'plugin', name: 'probe/probe.php', former_version: '1.0', version: '2.0' },
    ])
    assert.equal(await shown(), '2.0')
    assert.equal((await probe()).new_version, null)
    const { items } = await ada.signedIn.must('GET', `/api/websites/${id}/backups`)
    assert.ok(items.some(({ name }: { readonly name: string }) => name === answer.data.backup))
  })

  it('updates nothing where the backup lacks files, which only root can read', async () => {
    const secret = `${root}/secret.txt`
    await host.must(['install', '-m', '600', '/dev/null', secret])
    const refused = await update('probe-2.zip')
    assert.deepEqual([refused.status, refused.code], [409, 'conflict'], refused.message)
    assert.match(refused.message, /^blog\.example\.com has files that ada cannot read/)
    assert.ok(existsSync(at(secret)))
    await host.must(['rm', secret])
  })

  it('puts files and tables back where the website fails after an update', async () => {
    const broken = "update_option('probe_was_here', '1'); add_action('template_redirect', fn () => none());"
    await archive('probe-3.zip', pluginOf('3.0', broken))
    const answer = await update('probe-3.zip')
    assert.deepEqual([answer.status, answer.code], [500, 'update_failed'], answer.message)
    assert.match(answer.message, /^blog\.example\.com\/ answered 500: .*critical error/)
    await poll('the website to answer again', 60_000, async () =>
      (await shown()) === '2.0' ? true : undefined,
    )
    assert.equal((await probe()).version, '2.0')
    assert.equal(await option('probe_was_here'), '')
    const left = await host.must(['find', '/home/ada/sites', '-maxdepth', '1', '-name', '.hostreeve*'])
    assert.equal(left.stdout, '')
    const owners = await host.must([
      'find',
      `/home/ada/sites/${blog}`,
      '!',
      '-user',
      'ada',
      '!',
      '-type',
      'l',
    ])
    assert.equal(owners.stdout, '')
  })

  it('refuses what is not an update of it', async () => {
    await archive('other.zip', pluginOf('3.0'), 'other')
    const other = await update('other.zip')
    assert.equal(other.code, 'update_failed')
    assert.match(other.message, /the archive has the folder other, and probe is expected/)
    await poll('the website to answer again', 60_000, async () =>
      (await shown()) === '2.0' ? true : undefined,
    )
    const items = (item: object) => ({ items: [{ kind: 'plugin', name: 'probe/probe.php', ...item }] })
    for (const [body, code, message] of [
      [
        items({ path: 'probe-2.zip', sha256: 'a'.repeat(64) }),
        'bad_request',
        /^items\.0\.sha256: is compared/,
      ],
      [
        items({ path: 'none.zip' }),
        'bad_request',
        /^items\.0\.path: none\.zip is not a file in the home of ada/,
      ],
      [items({ url: 'https://127.0.0.1/p.zip' }), 'bad_request', /^items\.0\.sha256: is required/],
      [items({}), 'bad_request', /^items\.0\.name: WordPress knows of no update/],
      [
        items({ url: 'https://127.0.0.1/p.zip', sha256: 'a'.repeat(64) }),
        'download_failed',
        /address|access/,
      ],
    ] as const) {
      const answer = await ask('POST', '/updates', body)
      assert.equal(answer.code, code, answer.message)
      assert.match(answer.message, message)
    }
    assert.equal(await shown(), '2.0')
  })

  it('goes back when the panel is killed during an update, and refuses another one meanwhile', async () => {
    const waits = "if (PHP_SAPI !== 'cli') while (!file_exists(dirname(ABSPATH) . '/go-on')) usleep(50000);"
    await archive('probe-4.zip', pluginOf('4.0', waits))
    let second: Answer | undefined
    await killWhile(
      panel,
      () => update('probe-4.zip'),
      async () => {
        if (!(await installed()).includes('4.0')) return false
        second ??= await update('probe-2.zip', { check_site: false })
        return true
      },
    )
    assert.deepEqual([second?.status, second?.code], [409, 'already_running'])
    await poll('the update to be taken back', 300_000, async () =>
      (await installed()).includes('2.0') ? true : undefined,
    )
    await asAda(`touch sites/${blog}/go-on`) // for requests that still wait
    await poll('its job to end', 300_000, async () => {
      const { items } = await admin.must('GET', '/api/jobs?sort=-id&per_page=50')
      return items.some(({ state: at }: { readonly state: string }) => ['queued', 'running'].includes(at))
        ? undefined
        : true
    })
    assert.equal(await shown(), '2.0')
    await asAda(`rm -f sites/${blog}/go-on`)
  })

  it('updates a website that fails only if it is told not to check it', async () => {
    await write(
      `${plugins}/probe/probe.php`,
      pluginOf('2.0', "add_action('template_redirect', fn () => none());"),
    )
    await poll('PHP to see the file', 60_000, async () =>
      (await visit(host, blog)).status === 500 ? true : undefined,
    )
    const refused = await update('probe-2.zip')
    assert.deepEqual([refused.status, refused.code], [409, 'site_broken'])
    assert.match(refused.message, /check_site to false/)
    assert.equal((await update('probe-2.zip', { check_site: false })).status, 200)
    await poll('the website to answer', 60_000, async () => ((await shown()) === '2.0' ? true : undefined))
  })

  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    host.request({
      ...{ method: 'POST', path, body: new URLSearchParams(fields).toString() },
      headers: { Host: blog, 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  const cookies = ({ headers }: HttpResponse): string =>
    (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')

  it('signs an administrator in by a link, once and in time', async () => {
    const { link, user } = await must('POST', '/sign-in', {})
    assert.equal(user, 'admin')
    const [address = '', token = ''] = link.split('#')
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const path = address.slice(`http://${blog}`.length)
    const page = await visit(host, blog, path)
    assert.match(page.text, /location\.hash/)
    assert.equal(page.headers['set-cookie'], undefined)
    assert.equal((await post(path, { token: `${token}x` })).status, 403)
    const signedIn = await post(path, { token })
    assert.deepEqual([signedIn.status, signedIn.headers.location], [302, `http://${blog}/wp-admin/`])
    const dashboard = await host.request({
      ...{ path: '/wp-admin/', headers: { Host: blog, Cookie: cookies(signedIn) } },
    })
    assert.equal(dashboard.status, 200)
    assert.equal((await post(path, { token })).status, 403)
    const late = (await must('POST', '/sign-in', { user: 'admin' })).link.split('#')[1]
    const file = at(`/home/ada/sites/${blog}/.hostreeve-wordpress/sign-in.json`)
    const stored = await readFile(file, 'utf8')
    assert.ok(!stored.includes(late))
    await writeFile(file, stored.replace(/"expires":\d+/, '"expires":1000'))
    assert.equal((await post(path, { token: late })).status, 403)
    const nobody = await ask('POST', '/sign-in', { user: 'nobody' })
    assert.deepEqual([nobody.status, nobody.code], [400, 'bad_request'])
    const logs = (await host.must(['cat', `/var/log/hostreeve/sites/${blog}/access.log`])).stdout
    for (const text of [logs, JSON.stringify(await admin.must('GET', '/api/activity?per_page=100'))])
      assert.ok(!text.includes(token))
  })

  it('is protected, and not any more', async () => {
    const config = await readFile(at(`${root}/wp-config.php`), 'utf8')
    assert.notEqual((await post('/xmlrpc.php')).status, 403)
    const all = { no_php_in_uploads: true, no_file_editing: true, no_xmlrpc: true, limited_sign_ins: true }
    assert.deepEqual(await must('PATCH', '/hardening', all), all)
    for (const path of ['/xmlrpc.php', '//xmlrpc.php', '/xmlrpc.php/x'])
      assert.equal((await post(path)).status, 403, path)
    const signIn = () => post('/wp-login.php', { log: 'admin', pwd: 'wrong' })
    // at once, as the limit is one of a rate
    const statuses = new Set(
      (await Promise.all(Array.from({ length: 40 }, signIn))).map(({ status }) => status),
    )
    assert.deepEqual(statuses, new Set([200, 429]))
    assert.equal((await visit(host, blog, '/wp-login.php')).status, 200)
    const none = {
      no_php_in_uploads: false,
      no_file_editing: false,
      no_xmlrpc: false,
      limited_sign_ins: false,
    }
    await writeFile(at('etc/nginx/conf.d/broken.conf'), 'nonsense on;\n')
    const refused = await ask('PATCH', '/hardening', none)
    await rm(at('etc/nginx/conf.d/broken.conf'))
    assert.equal(refused.code, 'config_failed')
    assert.deepEqual((await must('GET', '')).hardening, all)
    assert.deepEqual(await must('PATCH', '/hardening', none), none)
    assert.deepEqual((await must('GET', '')).hardening, none)
    assert.notEqual((await post('/xmlrpc.php')).status, 403)
    await asAda(`mkdir -p ${root}/wp-content/uploads`)
    await write(`${root}/wp-content/uploads/x.php`, '<?php echo "it ran";')
    assert.match((await visit(host, blog, '/wp-content/uploads/x.php')).text, /it ran/)
    await must('PATCH', '/hardening', { no_php_in_uploads: true, no_file_editing: true })
    assert.equal((await visit(host, blog, '/wp-content/uploads/x.php')).status, 404)
    assert.equal(await readFile(at(`${root}/wp-config.php`), 'utf8'), config)
    await appendFile(at(`${root}/wp-config.php`), '// DISALLOW_FILE_EDIT\n')
    const unclear = await ask('PATCH', '/hardening', { no_file_editing: false })
    assert.deepEqual([unclear.status, unclear.code], [409, 'conflict'])
    await writeFile(at(`${root}/wp-config.php`), config)
  })

  it('deletes what is not in use, as the guide says', async () => {
    const remove = (kind: string, name: string) => ask('POST', '/deletions', { items: [{ kind, name }] })
    const active = await remove('plugin', 'probe/probe.php')
    assert.deepEqual([active.status, active.code], [409, 'conflict'])
    assert.match(active.message, /is active: deactivate it first/)
    assert.equal((await remove('theme', 'twentytwentythree')).code, 'conflict')
    const removed = await remove('theme', 'bare')
    assert.equal(removed.status, 200, removed.message)
    assert.ok(!existsSync(at(`${root}/wp-content/themes/bare`)))
    const guide = await readFile(join(checkout, 'docs/guides/wordpress.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"former_version":"2\.0","version":"2\.0"/)
    assert.match(output, /"no_xmlrpc":true/)
    assert.ok(!existsSync(at(`${plugins}/probe`)))
  })
})
