import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, HttpResponse, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { pebbleAddress, pebbleEnvironment, startPebble } from './story/pebble.ts'
import { type Answer, type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const php = '/usr/bin/php8.2'

describe('applications', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  before(async () => {
    host = await bootHost('apps', { image: 'phpPools', addresses: [`${pebbleAddress}/24`] })
    await startPebble(host)
    panel = await startPanel(host, { env: pebbleEnvironment })
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const install = (body: object, owner = ada): Promise<Answer> =>
    owner.signedIn.ask('POST', '/api/applications', {
      ...{ application: 'wordpress', email: 'ada@example.com', certificate: 'none' },
      ...body,
    })
  /** What an installation on a domain could leave. */
  const leftOf = async (domain: string) => {
    const homes = await readdir(at('home/ada/sites')).catch(() => [] as string[])
    const { items } = await admin.must('GET', '/api/websites')
    return {
      databases: await query("show databases like 'ada%'"),
      accounts: await query("select User from mysql.user where User like 'ada%'"),
      folders: homes.filter((name) => name === domain || name.startsWith('.hostreeve')),
      website: items.some((site: { readonly domain: string }) => site.domain === domain),
      served: existsSync(at(`etc/nginx/hostreeve/sites/${domain}.conf`)),
      pools: (await readdir(at('etc/php/8.2/fpm/hostreeve/ada')).catch(() => [])).length,
      applications: (await admin.must('GET', '/api/applications')).total,
    }
  }
  /** Plants a failure while an application is installed, and sees that nothing is left of it. */
  const failsWith = async (
    code: string,
    message: RegExp,
    plant: () => Promise<() => Promise<unknown>>,
    body: object = {},
  ) => {
    const domain = 'failing.example.com'
    const was = await leftOf(domain)
    const heal = await plant()
    const answer = await install({ domain, ...body })
    await heal()
    assert.equal(answer.code, code, `${answer.status} ${answer.message}`)
    assert.match(answer.message, message)
    assert.deepEqual(await leftOf(domain), was)
  }

  it('come from the package of the host, with its version', async () => {
    const { applications } = await ada.signedIn.must('GET', '/api/applications/catalog')
    const [wordpress, dokuwiki, starter] = applications
    assert.deepEqual([wordpress.source, wordpress.available, wordpress.reason], ['package', true, null])
    assert.match(wordpress.version, /^6\.\d/)
    assert.deepEqual([dokuwiki.source, dokuwiki.version, starter.source], ['download', null, 'included'])
  })

  it('leave nothing where files cannot be copied', () =>
    failsWith('package_failed', /tar: /, async () => {
      const link = at('usr/share/wordpress/wp-content/nowhere')
      await symlink('/nowhere', link)
      return () => rm(link)
    }))

  it('leave the files that are there already', async () => {
    const folder = at('home/ada/sites/used.example.com/public')
    const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    await host.must([...asAda, 'mkdir', '-p', '/home/ada/sites/used.example.com/public'])
    await writeFile(join(folder, 'mine'), 'mine')
    const { status, code, message } = await install({ domain: 'used.example.com' })
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.match(message, /^domain: sites\/used\.example\.com\/public in the home of ada has files already/)
    assert.deepEqual(await readdir(folder), ['mine'])
    assert.equal(await query("show databases like 'ada%'"), '')
    await rm(at('home/ada/sites/used.example.com'), { recursive: true })
  })

  it('leave nothing where the SQL server stands still', () =>
    failsWith('create_failed', /MariaDB/, async () => {
      await host.must(['systemctl', 'stop', 'mariadb'])
      return () => host.must(['systemctl', 'start', 'mariadb'])
    }).catch(async (error: unknown) => {
      await host.must(['systemctl', 'start', 'mariadb'])
      throw error
    }))

  it('leave nothing where nginx refuses its configuration', () =>
    failsWith('config_failed', /nonsense/, async () => {
      await writeFile(at('etc/nginx/conf.d/broken.conf'), 'nonsense on;\n')
      return () => rm(at('etc/nginx/conf.d/broken.conf'))
    }))

  /** Replaces the PHP of scripts by a program of the test. */
  const plantPhp = async (script: string) => {
    await rename(at(php), at(`${php}.real`))
    await writeFile(at(php), `#!/bin/sh\n${script}\n`)
    await chmod(at(php), 0o755)
    return () => rename(at(`${php}.real`), at(php))
  }

  it('leave nothing where the set-up fails', () =>
    failsWith('set_up_failed', /^WordPress: planted/, () =>
      plantPhp('cat >/dev/null; echo planted >&2; exit 3'),
    ))

  /** A unit of systemd-run is gone once it was stopped. */
  const startPebbleAgain = async () => {
    await host.must([
      'systemd-run',
      '--unit=pebble-again',
      '--setenv=PEBBLE_VA_NOSLEEP=1',
      ...['/usr/local/bin/pebble', '-config', '/etc/pebble/config.json', '-dnsserver', '127.0.0.1:53'],
    ])
    await host.must([
      'curl',
      ...['-sf', '--retry', '20', '--retry-connrefused', '--retry-delay', '1', '-k'],
      pebbleEnvironment.HOSTREEVE_ACME_DIRECTORY,
    ])
  }

  it('leave nothing where the authority issues no certificate', () =>
    failsWith(
      'acme_failed',
      /./,
      async () => {
        await host.must(['systemctl', 'stop', 'pebble'])
        return startPebbleAgain
      },
      { certificate: 'auto' }, // every name leads to this host
    ))

  it('leave nothing of a set-up during which the panel is killed', async () => {
    const domain = 'killed.example.com'
    const was = await leftOf(domain)
    const begun = '"$HOME/begun"'
    const heal = await plantPhp(`[ -e ${begun} ] && exec ${php}.real "$@"; touch ${begun}; exec sleep 1000`)
    await killWhile(
      panel,
      () => install({ domain }),
      () => existsSync(at('home/ada/begun')),
    )
    await poll('the installation to be undone', 300_000, async () =>
      isDeepStrictEqual(await leftOf(domain), was) ? true : undefined,
    )
    await heal()
    await rm(at('home/ada/begun'))
  })

  it('are installed as the guide says, and answer', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/applications.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"source":"package"/)
    assert.match(output, /<title>Ada &(?:amp|#038); friends/)
    assert.match(output, /"application":"starter".*"version":"1\.0"/)
  })

  const cookies = ({ headers }: HttpResponse): string =>
    (headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')

  let blog: { readonly website_id: number; readonly password: string; readonly database: string }
  it('let the administrator of WordPress sign in, whose password is shown once', async () => {
    const answer = await install({
      ...{ domain: 'blog.example.com', title: '\'Ada\' "writes" <b>', administrator: 'editor' },
    })
    assert.equal(answer.status, 201, `${answer.code}: ${answer.message}`)
    blog = answer.data
    const { version, administrator, sign_in_url, has_certificate, password } = answer.data
    assert.match(version, /^6\.\d/)
    assert.deepEqual(
      [administrator, sign_in_url, has_certificate],
      ['editor', 'http://blog.example.com/wp-login.php', false],
    )
    const front = await visit(host, 'blog.example.com')
    assert.equal(front.status, 200, front.text.slice(0, 500))
    assert.match(front.text, /&#039;Ada&#039; &quot;writes&quot; &lt;b&gt;|&#8216;Ada&#8217;|Ada/)
    assert.doesNotMatch(front.text, /<b>/)
    const signIn = (pwd: string) =>
      host.request({
        method: 'POST',
        path: '/wp-login.php',
        headers: {
          Host: 'blog.example.com',
          'Content-Type': 'application/x-www-form-urlencoded',
          Cookie: 'wordpress_test_cookie=WP%20Cookie%20check',
        },
        body: new URLSearchParams({ log: 'editor', pwd, testcookie: '1' }).toString(),
      })
    assert.equal((await signIn('wrong')).status, 200)
    const signedIn = await signIn(password)
    assert.deepEqual([signedIn.status, signedIn.headers.location], [302, 'http://blog.example.com/wp-admin/'])
    const dashboard = await host.request({
      path: '/wp-admin/',
      headers: { Host: 'blog.example.com', Cookie: cookies(signedIn) },
    })
    assert.equal(dashboard.status, 200)
    assert.match(dashboard.text, /Dashboard/)
    for (const path of ['/api/jobs?per_page=100', '/api/activity?per_page=100', '/api/applications'])
      assert.ok(!JSON.stringify(await admin.must('GET', path)).includes(password), path)
  })

  it('have pages with addresses of words, and no script in uploads', async () => {
    const front = await visit(host, 'blog.example.com')
    const [, address = ''] =
      /href="http:\/\/blog\.example\.com(\/\d{4}\/\d\d\/\d\d\/hello-world\/)"/.exec(front.text) ?? []
    const post = await visit(host, 'blog.example.com', address)
    assert.equal(post.status, 200, front.text)
    assert.match(post.text, /<title>Hello world!/)
    assert.equal((await visit(host, 'blog.example.com', '/wp-content/uploads/x.php')).status, 404)
    assert.equal((await visit(host, 'blog.example.com', '/readme.html')).status, 404)
  })

  it('belong to their owner, who alone reads the configuration', async () => {
    const config = '/home/ada/sites/blog.example.com/public/wp-config.php'
    assert.equal((await host.must(['stat', '-c', '%U:%G:%a', config])).stdout.trim(), 'ada:ada:600')
    const foreign = await host.must(['find', '/home/ada/sites/blog.example.com', '!', '-user', 'ada'])
    assert.equal(foreign.stdout.trim(), '')
    const links = await host.must(['find', '/home/ada/sites/blog.example.com', '-type', 'l'])
    assert.equal(links.stdout.trim(), '')
    assert.equal((await bob.signedIn.must('GET', '/api/applications')).total, 0)
    const listed = (await ada.signedIn.must('GET', '/api/applications')).items
    const own = listed.find((each: { readonly domain: string }) => each.domain === 'blog.example.com')
    assert.deepEqual([own.application, own.available_version], ['wordpress', null])
  })

  it('name a newer version in the package of the host', async () => {
    const path = at('home/ada/sites/blog.example.com/public/wp-includes/version.php')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/^\$wp_version = '.*';/m, "$wp_version = '5.9';"))
    const { items } = await ada.signedIn.must('GET', '/api/applications')
    const own = items.find((each: { readonly domain: string }) => each.domain === 'blog.example.com')
    await writeFile(path, text)
    assert.equal(own.version, '5.9')
    assert.match(own.available_version, /^6\.\d/)
  })

  it('are served over https at once where the domain leads to the host', async () => {
    const answer = await install({ domain: 'shop.example.com', certificate: 'auto' })
    assert.equal(answer.status, 201, `${answer.code}: ${answer.message}`)
    assert.deepEqual([answer.data.url, answer.data.has_certificate], ['https://shop.example.com/', true])
    const page = await host.request({
      ...{ port: 443, path: '/', headers: { Host: 'shop.example.com' } },
      tls: { servername: 'shop.example.com' },
    })
    assert.equal(page.status, 200)
    assert.match(page.text, /https:\/\/shop\.example\.com\/wp-/)
  })

  it('go with their website', async () => {
    const { database, website_id } = blog
    assert.equal(await query(`show databases like '${database.replace('_', '\\_')}'`), database)
    await ada.signedIn.must('DELETE', `/api/websites/${website_id}?files=remove&databases=remove`)
    assert.equal(await query(`show databases like '${database.replace('_', '\\_')}'`), '')
    assert.ok(!existsSync(at('home/ada/sites/blog.example.com')))
    const { items } = await ada.signedIn.must('GET', '/api/applications')
    assert.ok(items.every((each: { readonly website_id: number }) => each.website_id !== website_id))
  })
})
