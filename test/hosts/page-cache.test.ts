import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, HttpResponse, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const domain = 'blog.example.com'

describe('the page cache', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let id: number
  before(async () => {
    host = await bootHost('cache', { image: 'phpPools' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    const draft = { application: 'wordpress', email: 'ada@example.com', certificate: 'none', domain }
    id = (await ada.signedIn.must('POST', '/api/applications', draft)).website_id
    // nothing of WordPress runs that no test has asked for: it may empty the cache
    const config = at(`${site}/public/wp-config.php`)
    const text = await readFile(config, 'utf8')
    await writeFile(config, text.replace('<?php', "<?php\ndefine('DISABLE_WP_CRON', true);"))
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const site = `home/ada/sites/${domain}`
  const get = (path = '/', headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    host.request({ method, path, headers: { Host: domain, ...headers } })
  const stateOf = ({ headers }: HttpResponse) => headers['x-cache']
  const state = async (...asked: Parameters<typeof get>) => stateOf(await get(...asked))
  const edit = (body: object) => ada.signedIn.must('PATCH', `/api/websites/${id}/page-cache`, body)
  const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
  /** Runs PHP of the test in WordPress, as its owner. */
  const inWordpress = async (script: string) => {
    await writeFile(
      at('srv/change.php'),
      `<?php
      $_SERVER += ['SERVER_NAME' => '${domain}', 'HTTP_HOST' => '${domain}', 'REQUEST_METHOD' => 'GET', 'REMOTE_ADDR' => '127.0.0.1', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
      require '/${site}/public/wp-load.php';
      require ABSPATH . 'wp-admin/includes/admin.php';
      ${script}`,
    )
    await host.must([...asAda, 'php8.2', '/srv/change.php'])
  }
  const socketOfSite = async () =>
    (await readFile(at(`etc/nginx/hostreeve/sites/${domain}.conf`), 'utf8')).match(
      /fastcgi_pass unix:(\S+);/,
    )![1]!
  /** Asks until a page is kept: jobs that WordPress runs after a request may empty the cache. */
  const kept = (path = '/') =>
    poll('a page that is kept', 60_000, async () => ((await state(path)) === 'HIT' ? true : undefined))

  it('is off at first', async () => {
    assert.equal(await state(), undefined)
    assert.equal((await ada.signedIn.must('GET', `/api/websites/${id}/page-cache`)).is_enabled, false)
  })

  it('answers the second request without PHP, and its folder is closed to others', async () => {
    const shown = await edit({ is_enabled: true, lifetime_seconds: 3600 })
    assert.equal(shown.purges_on_change, true)
    const first = await get()
    assert.deepEqual([first.status, stateOf(first)], [200, 'MISS'])
    const second = await get()
    assert.deepEqual([second.status, stateOf(second), second.text], [200, 'HIT', first.text])
    const { stdout } = await host.must(['stat', '-c', '%U:%a', `/var/cache/hostreeve-nginx/${id}`])
    assert.equal(stdout.trim(), 'www-data:700')
    assert.notEqual((await host.exec([...asAda, 'ls', `/var/cache/hostreeve-nginx/${id}`])).code, 0)
    const { pages, size_bytes } = await ada.signedIn.must('GET', `/api/websites/${id}/page-cache`)
    assert.ok(pages >= 1 && size_bytes > 0)
  })

  it('is passed by those who sign in, comment or shop, by queries and other methods', async () => {
    await kept()
    assert.equal(await state('/', { Cookie: 'a=b; wordpress_logged_in_abc=ada' }), 'BYPASS')
    assert.equal(await state('/', { Cookie: 'woocommerce_items_in_cart=1' }), 'BYPASS')
    assert.equal(await state('/', { Cookie: 'comment_author_abc=ada' }), 'BYPASS')
    assert.equal(await state('/', { Authorization: 'Basic YTpi' }), 'BYPASS')
    assert.equal(await state('/?s=hello'), 'BYPASS')
    assert.equal(await state('/wp-login.php'), 'BYPASS')
    assert.equal(await state('/wp-%6cogin.php'), 'BYPASS')
    assert.equal(await state('/wp-admin/'), 'BYPASS')
    assert.equal(await state('/', {}, 'POST'), undefined)
    assert.equal(await state('/', { Cookie: 'theme=dark' }), 'HIT')
    for (const time of ['once', 'twice']) assert.notEqual(await state('/wp-login.php'), 'HIT', time)
  })

  it('never keeps an answer that sets a cookie or says that it is private', async () => {
    for (const [name, header] of [
      ['cookie', 'Set-Cookie: a=b'],
      ['private', 'Cache-Control: private'],
    ] as const) {
      await writeFile(at(`${site}/public/${name}.php`), `<?php header('${header}'); echo 'fresh';`)
      for (const time of ['once', 'twice'])
        assert.deepEqual([await state(`/${name}.php`), time], ['MISS', time])
    }
  })

  it('does not mix hosts, and passwords stay in front of it', async () => {
    await kept()
    const odd = await get('/', { Host: `${domain}:8080` })
    assert.equal(stateOf(odd), 'MISS')
    assert.equal(stateOf(await get()), 'HIT')
    const protect = (basic_auth: readonly object[]) =>
      ada.signedIn.must('PATCH', `/api/websites/${id}`, { basic_auth })
    await protect([{ folder: '/', users: [{ username: 'ann', password: 'let me in' }] }])
    assert.equal((await get()).status, 401)
    const Authorization = `Basic ${Buffer.from('ann:let me in').toString('base64')}`
    const inside = await get('/', { Authorization })
    assert.deepEqual([inside.status, stateOf(inside)], [200, 'BYPASS'])
    await protect([])
    assert.equal(stateOf(await get()), 'HIT')
  })

  it('is emptied by a post, a comment, a theme and a setting, also while the panel does not run', async () => {
    await kept()
    await inWordpress(
      "wp_insert_post(['post_title' => 'Fresh from the cache', 'post_content' => 'x', 'post_status' => 'publish', 'post_author' => 1]);",
    )
    const after = await get()
    assert.equal(stateOf(after), 'MISS')
    assert.match(after.text, /Fresh from the cache/)
    for (const script of [
      "wp_insert_comment(['comment_post_ID' => 1, 'comment_content' => 'c', 'comment_approved' => 0]); wp_set_comment_status(get_comments(['status' => 'hold'])[0]->comment_ID, 'approve');",
      "update_option('blogname', 'Another name');",
      "do_action('switch_theme', 'x', wp_get_theme(), wp_get_theme());",
    ]) {
      await kept()
      await inWordpress(script)
      assert.equal(await state(), 'MISS', script)
    }
    await panel.stop()
    await kept()
    await inWordpress("wp_update_post(['ID' => 1, 'post_title' => 'Without the panel']);")
    const without = await get()
    assert.equal(stateOf(without), 'MISS')
    assert.match(without.text, /Without the panel/)
    await panel.start()
    ada = { ...ada, signedIn: await SignedIn.as(panel, ada.email, ada.password) }
  })

  it('stays with a draft, and with a comment that waits', async () => {
    await kept()
    await inWordpress("wp_insert_post(['post_title' => 'Draft', 'post_status' => 'draft']);")
    await inWordpress(
      "wp_new_comment(['comment_post_ID' => 1, 'comment_content' => 'spam', 'comment_author' => 's', 'comment_author_email' => 's@example.com', 'comment_author_url' => '', 'comment_type' => 'comment']);",
    )
    assert.equal(await state(), 'HIT')
  })

  it('answers without the file of its generation, which its owner may remove', async () => {
    await host.must(['rm', `/${site}/.hostreeve-page-cache`])
    assert.equal((await get()).status, 200)
    await kept()
    await inWordpress("update_option('blogname', 'A third name');")
    const { status, headers } = await get()
    assert.deepEqual([status, headers['x-cache']], [200, 'MISS'])
  })

  it('is emptied by path, and as a whole', async () => {
    const purge = (body: object) => ada.signedIn.must('POST', `/api/websites/${id}/page-cache/purge`, body)
    const other = '/cookie-less.php'
    await writeFile(at(`${site}/public${other}`), '<?php echo "kept";')
    await kept()
    await kept(other)
    await purge({ path: '/' })
    assert.deepEqual([await state(), await state(other)], ['MISS', 'HIT'])
    await purge({})
    assert.deepEqual([await state(), await state(other)], ['MISS', 'MISS'])
  })

  it('is emptied by a restore, and by an import into the database of the website', async () => {
    const streamed = async (path: string, body: object = {}) => {
      const answer = await ada.signedIn.ask('POST', path, body)
      const text = answer.bytes.toString()
      assert.match(text, /"type":"done"/)
      return text
    }
    const name = /"type":"done","name":"([^"]+)"/.exec(await streamed(`/api/websites/${id}/backups`))![1]!
    const [database] = (await ada.signedIn.must('GET', '/api/databases')).items
    const path = `/api/databases/${database.id}`
    const dump = /"file_path":"([^"]+)"/.exec(await streamed(`${path}/export`))![1]!
    await inWordpress("update_option('blogname', 'The name after the backup');")
    await kept()
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${id}/backups/${name}/restore`, {})
    const events = await ada.signedIn.followJob(job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
    assert.doesNotMatch((await get()).text, /The name after the backup/)
    await inWordpress("update_option('blogname', 'The name before the import');")
    await kept()
    assert.match((await get()).text, /The name before the import/)
    await streamed(`${path}/import`, { file: dump })
    assert.doesNotMatch((await get()).text, /The name before the import/)
  })

  it('serves files and folders at addresses without a dot, and no link to a file of somebody else', async () => {
    const path = at(`${site}/public/license`)
    await writeFile(path, 'in short')
    assert.equal((await get('/license')).text, 'in short')
    await writeFile(path, 'in other words, and longer')
    assert.equal((await get('/license')).text, 'in other words, and longer')
    await host.must([...asAda, 'ln', '-sf', '/etc/passwd', `/${site}/public/license`])
    await host.must([...asAda, 'ln', '-s', '/etc', `/${site}/public/others`])
    for (const linked of ['/license', '/others/passwd', '/others/', '/license/'])
      assert.doesNotMatch((await get(linked)).text, /root:/, linked)
    await host.must([...asAda, 'rm', `/${site}/public/license`, `/${site}/public/others`])
    await host.must([...asAda, 'mkdir', `/${site}/public/echo`])
    await writeFile(at(`${site}/public/echo/index.php`), "<?php echo md5(file_get_contents('php://input'));")
    assert.equal((await get('/echo')).status, 301)
    const body = 'much '.repeat(400_000)
    const echoed = await host.request({ method: 'POST', path: '/echo/', headers: { Host: domain }, body })
    assert.equal(echoed.text, createHash('md5').update(body).digest('hex'))
    await kept('/echo/')
    const { uncached_paths } = await ada.signedIn.must('GET', `/api/websites/${id}/page-cache`)
    await edit({ uncached_paths: ['/echo/index.php'] })
    await ada.signedIn.must('POST', `/api/websites/${id}/page-cache/purge`, {})
    for (const time of ['once', 'twice']) assert.notEqual(await state('/echo/'), 'HIT', time)
    await edit({ uncached_paths })
    const log = await readFile(at(`var/log/hostreeve/sites/${domain}/error.log`), 'utf8')
    assert.doesNotMatch(log, /in upstream/)
  })

  it('builds an expired page again that might be shown where PHP fails', async () => {
    await host.must([...asAda, 'mkdir', `/${site}/public/hourly`])
    await writeFile(
      at(`${site}/public/hourly/index.php`),
      "<?php header('Cache-Control: max-age=1, stale-if-error=86400'); echo hrtime(true);",
    )
    const { text } = await get('/hourly/')
    await kept('/hourly/')
    await poll('a page that is built again', 60_000, async () =>
      (await get('/hourly/')).text === text ? undefined : true,
    )
  })

  it('shows the error page of the website where PHP does not answer', async () => {
    await writeFile(at(`${site}/public/sorry.html`), 'we are sorry')
    const setPages = (error_pages: readonly object[]) =>
      ada.signedIn.must('PATCH', `/api/websites/${id}`, { error_pages })
    await setPages([{ code: 502, path: '/sorry.html' }])
    const socket = await socketOfSite()
    await host.must(['mv', socket, `${socket}.away`])
    const { status, text } = await get('/never-kept/')
    assert.deepEqual([status, text], [502, 'we are sorry'])
    await host.must(['mv', `${socket}.away`, socket])
    await setPages([])
  })

  it('answers with an expired page where PHP does not', async () => {
    await edit({ lifetime_seconds: 1 })
    const path = '/stale.php'
    await writeFile(at(`${site}/public${path}`), '<?php echo "built before";')
    await get(path)
    const socket = await socketOfSite()
    await host.must(['mv', socket, `${socket}.away`])
    const stale = await poll('an expired page', 60_000, async () => {
      const answer = await get(path)
      assert.notEqual(answer.status, 502)
      return stateOf(answer) === 'STALE' ? answer : undefined
    })
    assert.deepEqual([stale.status, stale.text], [200, 'built before'])
    await host.must(['mv', `${socket}.away`, socket])
    await edit({ lifetime_seconds: 3600 })
  })

  it('is restored as it was where nginx refuses its configuration', async () => {
    await kept()
    await writeFile(at('etc/nginx/conf.d/broken.conf'), 'nonsense on;\n')
    const refused = await ada.signedIn.ask('PATCH', `/api/websites/${id}/page-cache`, { is_enabled: false })
    assert.deepEqual([refused.status, refused.code], [500, 'config_failed'])
    await host.must(['rm', '/etc/nginx/conf.d/broken.conf'])
    assert.equal((await ada.signedIn.must('GET', `/api/websites/${id}/page-cache`)).is_enabled, true)
    assert.equal(await state(), 'HIT')
  })

  it('is used as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/page-cache.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /X-Cache: HIT/i)
  })

  it('leaves nothing when it is turned off', async () => {
    await edit({ is_enabled: false })
    assert.equal(await state(), undefined)
    assert.deepEqual(await readdir(at('var/cache/hostreeve-nginx')), [])
    assert.ok(
      !(await readdir(at(`${site}/public/wp-content/mu-plugins`))).some((name) => name.includes('cache')),
    )
  })

  it('goes with its website', async () => {
    await edit({ is_enabled: true })
    assert.deepEqual(await readdir(at('var/cache/hostreeve-nginx')), [String(id)])
    await ada.signedIn.must('DELETE', `/api/websites/${id}?files=remove&databases=remove`)
    assert.deepEqual(await readdir(at('var/cache/hostreeve-nginx')), [])
  })
})
