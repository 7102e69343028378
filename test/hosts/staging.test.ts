import assert from 'node:assert/strict'
import { existsSync, lstatSync } from 'node:fs'
import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const live = 'live.example.com'
const copy = 'staging.example.com'
const php = '/usr/bin/php8.2'

describe('staging', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let [liveId, copyId] = [0, 0]
  before(async () => {
    host = await bootHost('staging', { image: 'phpPools' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    const draft = { application: 'wordpress', email: 'ada@example.com', certificate: 'none', domain: live }
    liveId = (await ada.signedIn.must('POST', '/api/applications', draft)).website_id
    await inWordpress(live, `update_option('probe', ${probe});`)
  })
  after(() => host?.remove())

  /** Text as plugins store it: nested, serialised twice, as JSON and as part of an URL; the last two are no address of the website. */
  const probe = `[
    'plain' => 'https://${live}/a and http://${live}.',
    'nested' => ['deep' => (object) ['url' => '//${live}/ü']],
    'twice' => serialize(['url' => 'http://${live}/twice']),
    'json' => json_encode(['url' => 'http://${live}/json']),
    'encoded' => urlencode('http://${live}/?a=b'),
    'path' => '/home/ada/sites/${live}/public/wp-content',
    'mail' => 'ada@${live}',
    'other' => 'http://${live}.evil.test/ http://not-${live}/',
  ]`
  const at = (path: string) => join(host.rootPath, path)
  const folder = (domain: string) => `home/ada/sites/${domain}/public`
  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  /** Runs PHP of the test in WordPress, as its owner; returns what it prints. */
  const inWordpress = async (domain: string, script: string) => {
    await writeFile(
      at('srv/change.php'),
      `<?php
      $_SERVER += ['SERVER_NAME' => '${domain}', 'HTTP_HOST' => '${domain}', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
      require '/${folder(domain)}/wp-load.php';
      ${script}`,
    )
    const asAda = ['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'] as const
    return (await host.must([...asAda, 'php8.2', '/srv/change.php'])).stdout
  }
  const probeOf = async (domain: string) =>
    JSON.parse(await inWordpress(domain, "echo json_encode(get_option('probe'));"))
  const nameOf = (domain: string) => inWordpress(domain, "echo get_option('blogname');")
  /** Follows a job to its end; returns its state, and why it failed. */
  const ended = async (jobId: number): Promise<{ readonly state: string; readonly told: string }> => {
    await ada.signedIn.followJob(jobId)
    const { state, error, message } = await ada.signedIn.must('GET', `/api/jobs/${jobId}`)
    return { state, told: error ?? message }
  }
  const carryOut = async (path: string, body: object) => {
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${path}`, body)
    const { state, told } = await ended(job_id)
    assert.equal(state, 'succeeded', told)
  }
  const push = (body: object) => carryOut(`${copyId}/staging/push`, body)
  const leftOf = async () => ({
    databases: await query("show databases where `Database` like 'ada%' or `Database` like 'hostreeve%'"),
    accounts: await query("select User from mysql.user where User like 'ada%' or User like 'hostreeve%'"),
    folders: await readdir(at('home/ada/sites')),
    sites: await readdir(at('etc/nginx/hostreeve/sites')),
    websites: (await admin.must('GET', '/api/websites')).total,
  })
  /** The job that removes what a push has replaced comes after it. */
  const cleared = () =>
    poll('what was replaced to be removed', 120_000, async () => {
      const { databases, accounts, folders } = await leftOf()
      const isLeft =
        `${databases} ${accounts}`.includes('hostreeve') || folders.some((each) => each.startsWith('.'))
      return isLeft ? undefined : true
    })

  it('leaves nothing where the addresses cannot be replaced', async () => {
    const was = await leftOf()
    await rename(at(php), at(`${php}.real`))
    await writeFile(at(php), '#!/bin/sh\ncat >/dev/null; echo planted >&2; exit 3\n')
    await chmod(at(php), 0o755)
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${liveId}/staging`, { domain: copy })
    const { state, told } = await ended(job_id)
    await rename(at(`${php}.real`), at(php))
    assert.equal(state, 'failed', told)
    assert.match(told, /planted/)
    assert.deepEqual(await leftOf(), was)
  })

  it('has its own files, database and password, and answers behind the password of visitors', async () => {
    await carryOut(`${liveId}/staging`, { domain: copy, visitor: 'ann', visitor_password: 'let me in' })
    const { items } = await ada.signedIn.must('GET', '/api/staging')
    assert.deepEqual([items[0].domain, items[0].origin_domain], [copy, live])
    copyId = items[0].website_id
    const config = await readFile(at(`${folder(copy)}/wp-config.php`), 'utf8')
    const former = await readFile(at(`${folder(live)}/wp-config.php`), 'utf8')
    const secretIn = (text: string) => /'DB_PASSWORD', '([^']+)'/.exec(text)?.[1]
    assert.notEqual(secretIn(config), secretIn(former))
    assert.match(config, new RegExp(`'DB_NAME', 'ada_wp${copyId}'`))
    const owned = await host.must(['stat', '-c', '%U:%a', `/${folder(copy)}/wp-config.php`])
    assert.equal(owned.stdout.trim(), 'ada:600')
    assert.equal((await visit(host, copy)).status, 401)
    const Authorization = `Basic ${Buffer.from('ann:let me in').toString('base64')}`
    const page = await host.request({ path: '/', headers: { Host: copy, Authorization } })
    assert.equal(page.status, 200, page.text.slice(0, 300))
    assert.equal(page.headers['x-robots-tag'], 'noindex, nofollow')
    assert.ok(!page.text.includes(`//${live}`), 'no address of the origin is left')
    assert.match(page.text, /noindex/)
  })

  it('has its addresses in serialised data, and those of others as they were', async () => {
    assert.deepEqual(await probeOf(copy), {
      plain: `http://${copy}/a and http://${copy}.`,
      nested: { deep: { url: `//${copy}/ü` } },
      twice: `a:1:{s:3:"url";s:${`http://${copy}/twice`.length}:"http://${copy}/twice";}`,
      json: JSON.stringify({ url: `http://${copy}/json` }).replaceAll('/', '\\/'),
      encoded: encodeURIComponent(`http://${copy}/?a=b`),
      path: `/home/ada/sites/${copy}/public/wp-content`,
      mail: `ada@${live}`,
      other: `http://${live}.evil.test/ http://not-${live}/`,
    })
    assert.equal((await probeOf(live)).plain, `https://${live}/a and http://${live}.`)
  })

  it('sends no mail, and is not indexed, without a word of it in the database', async () => {
    const sent = "var_export(wp_mail('ada@example.com', 'a', 'b'));"
    assert.match(await inWordpress(live, sent), /false$/)
    assert.match(await inWordpress(copy, sent), /true$/)
    assert.equal(await inWordpress(copy, "echo get_option('blog_public');"), '0')
    assert.equal(
      await query(`select option_value from ada_wp${copyId}.wp_options where option_name = 'blog_public'`),
      '1',
    )
  })

  it('is pushed with files and database, but for the tables that stay', async () => {
    await inWordpress(copy, "update_option('blogname', 'Staged name');")
    await writeFile(at(`${folder(copy)}/new.php`), '<?php echo "new";')
    await writeFile(at(`${folder(live)}/gone.php`), '<?php echo "gone";')
    await inWordpress(
      live,
      "wp_insert_comment(['comment_post_ID' => 1, 'comment_content' => 'Meanwhile', 'comment_approved' => 1]);",
    )
    const former = await readFile(at(`${folder(live)}/wp-config.php`), 'utf8')
    const body = { parts: 'both', kept_tables: ['wp_comments', 'wp_commentmeta'] }
    const plan = await ada.signedIn.ask('POST', `/api/websites/${copyId}/staging/push?plan=1`, body)
    assert.match(JSON.stringify(plan.data), /Tables that are replaced: .*wp_options/)
    await push(body)
    assert.equal(await nameOf(live), 'Staged name')
    assert.equal((await visit(host, live, '/new.php')).text, 'new')
    assert.equal((await visit(host, live, '/gone.php')).status, 404)
    assert.equal(await readFile(at(`${folder(live)}/wp-config.php`), 'utf8'), former)
    assert.ok(!existsSync(at(`${folder(live)}/wp-content/mu-plugins/hostreeve-staging.php`)))
    assert.equal((await probeOf(live)).plain, `http://${live}/a and http://${live}.`)
    const comments = await inWordpress(live, 'foreach (get_comments() as $c) echo $c->comment_content;')
    assert.match(comments, /Meanwhile/)
    const front = await visit(host, live)
    assert.equal(front.status, 200)
    assert.match(front.text, /Staged name/)
    assert.ok(!front.text.includes(copy))
    await cleared()
    const { items } = await ada.signedIn.must('GET', `/api/websites/${liveId}/backups`)
    assert.ok(items.some((each: { readonly set: string }) => each.set === 'before-restore'))
    assert.notEqual((await ada.signedIn.must('GET', `/api/websites/${copyId}/staging`)).copy.pushed_at, null)
  })

  it('is put back as a whole where the website does not answer afterwards', async () => {
    const was = await leftOf()
    const broken = `${folder(copy)}/wp-content/mu-plugins/broken.php`
    await writeFile(at(broken), '<?php throw new Exception("broken");')
    await query(
      `update ada_wp${copyId}.wp_options set option_value = 'Broken name' where option_name = 'blogname'`,
    )
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${copyId}/staging/push`, {
      parts: 'both',
    })
    const { state, told } = await ended(job_id)
    assert.equal(state, 'failed', told)
    assert.match(told, /live\.example\.com answered 200 before and 500 now/)
    assert.equal((await visit(host, live)).status, 200)
    assert.equal(await nameOf(live), 'Staged name')
    assert.equal((await visit(host, live, '/new.php')).text, 'new')
    assert.ok(!existsSync(at(broken.replace(copy, live))))
    assert.deepEqual(await leftOf(), was)
    await host.must(['rm', `/${broken}`])
  })

  it('is pushed with files alone, and uploads stay', async () => {
    await host.must([
      'mkdir',
      '-p',
      `/${folder(live)}/wp-content/uploads`,
      `/${folder(copy)}/wp-content/uploads`,
    ])
    await host.must(['chown', '-R', 'ada:ada', `/${folder(live)}/wp-content`, `/${folder(copy)}/wp-content`])
    await writeFile(at(`${folder(live)}/wp-content/uploads/mine.txt`), 'mine')
    await writeFile(at(`${folder(copy)}/new.php`), '<?php echo "newer";')
    const inodeOf = () => lstatSync(at(`${folder(live)}/wp-content/uploads/mine.txt`)).ino
    const former = inodeOf()
    await push({ parts: 'files' })
    assert.equal(inodeOf(), former, 'what stays is not copied: it may be written to meanwhile')
    assert.equal(await readFile(at(`${folder(live)}/new.php`), 'utf8'), '<?php echo "newer";')
    assert.equal((await visit(host, live, '/wp-content/uploads/mine.txt')).text, 'mine')
    assert.equal(await nameOf(live), 'Staged name')
    await cleared()
  })

  it('is refused where it names a database of somebody else', async () => {
    const path = at(`${folder(live)}/wp-config.php`)
    const config = await readFile(path, 'utf8')
    await writeFile(path, config.replace(/'DB_NAME', '[^']+'/, "'DB_NAME', 'mysql'"))
    const answer = await ada.signedIn.ask('POST', `/api/websites/${liveId}/staging`, {
      domain: 'second.example.com',
    })
    await writeFile(path, config)
    assert.deepEqual([answer.status, answer.code], [400, 'bad_request'])
    assert.match(answer.message, /names the database mysql, which is none of its owner/)
  })

  it('is not pushed where WordPress would find no tables, or where no backup has the former ones', async () => {
    const path = at(`${folder(live)}/wp-config.php`)
    const config = await readFile(path, 'utf8')
    const refused = async (text: string) => {
      await writeFile(path, text)
      const answer = await ada.signedIn.ask('POST', `/api/websites/${copyId}/staging/push`, { parts: 'both' })
      await writeFile(path, config)
      assert.deepEqual([answer.status, answer.code], [400, 'bad_request'])
      return answer.message
    }
    assert.match(await refused(config.replace("'wp_'", "'other_'")), /begin with wp_, .* with other_/)
    const other = await ada.signedIn.must('POST', '/api/websites', {
      domain: 'shop.example.com',
      type: 'php',
    })
    const draft = { website_id: other.id, name: 'shop', username: 'shop', password: 'never used here' }
    const { name } = await ada.signedIn.must('POST', '/api/databases', draft)
    assert.match(
      await refused(config.replace(/'DB_NAME', '[^']+'/, `'DB_NAME', '${name}'`)),
      /is not one of live\.example\.com, so that no backup of it has the former tables/,
    )
    await ada.signedIn.must('DELETE', `/api/websites/${other.id}?files=remove&databases=remove`)
  })

  it('goes with its files and database', async () => {
    await ada.signedIn.must('DELETE', `/api/websites/${copyId}/staging`)
    const { databases, folders } = await leftOf()
    assert.ok(!databases.includes(`wp${copyId}`))
    assert.ok(!folders.includes(copy))
    assert.equal((await ada.signedIn.must('GET', '/api/staging')).total, 0)
    assert.equal((await visit(host, live)).status, 200)
  })

  it('is used as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/staging.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"origin_domain":"live\.example\.com"/)
    assert.match(output, /"before-restore"|before-restore-/)
  })
})
