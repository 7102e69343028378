import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import type { SqlConnection } from '../../host/apply/steps.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { applications } from './store.ts'

/** A MariaDB without databases. */
const connection: SqlConnection = {
  run: async ({ parts }) =>
    parts.join('').includes('information_schema.collations')
      ? [{ charset: 'utf8mb4', collation: 'utf8mb4_general_ci' }]
      : [],
}

describe('applications', () => {
  const installed = new Map<string, string>()
  let panel: TestPanel
  let ada: Person
  before(async () => {
    const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)
    panel = await openTestPanel({
      hasNginx: true,
      environment: { HOSTREEVE_MAX_WEBSITES: '3' },
      accounts: new Map([
        ['ada', { uid: 1001 }],
        ['bob', { uid: 1002 }],
      ]),
      mariadb: { connection },
      addresses: { resolve: async () => [], own: () => ['192.0.2.1'] },
      scripts: [noLogLinks, scriptPackages(installed, { 'mariadb-server': '1:10.11.14-0+deb12u2' })],
    })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.person({ username: 'bob' })
  })
  after(() => panel.close())

  const catalog = async () =>
    (await panel.request('GET', '/api/applications/catalog', { as: ada })).data.applications as readonly {
      readonly application: string
      readonly available: boolean
      readonly reason: string | null
      readonly source: string
      readonly version: string | null
    }[]
  const write = (path: string, text: string) => {
    mkdirSync(`${panel.root}${path.slice(0, path.lastIndexOf('/'))}`, { recursive: true })
    writeFileSync(`${panel.root}${path}`, text)
  }
  const plan = (body: object, as = ada) =>
    panel.request('POST', '/api/applications?plan=1', {
      as,
      body: { application: 'wordpress', domain: 'blog.example.com', email: 'ada@example.com', ...body },
    })
  const titlesOf = ({ data }: { readonly data: any }): readonly string[] =>
    data.steps.map(({ title }: { readonly title: string }) => title)

  test('are listed with the reason why one cannot be installed', async () => {
    const before = new Map((await catalog()).map((each) => [each.application, each]))
    assert.match(before.get('wordpress')?.reason ?? '', /^No version of PHP is installed/)
    assert.deepEqual(
      [before.get('starter')?.available, before.get('starter')?.source, before.get('starter')?.version],
      [true, 'included', '1.0'],
    )
    write('/usr/sbin/php-fpm8.2', '')
    for (const name of ['10-mysqlnd', '20-mysqli', '15-xml']) write(`/etc/php/8.2/fpm/conf.d/${name}.ini`, '')
    write('/etc/php/8.2/fpm/php.ini', 'memory_limit = 128M\n')
    assert.match((await catalog())[0]?.reason ?? '', /^MariaDB is not installed/)
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    for (const [name, text] of [
      ['wp-includes/version.php', "<?php\n$wp_version = '6.1.9';\n"],
      ['wp-includes/ID3/getid3.php', ''],
      ['wp-content/themes/twentyten/style.css', ''],
    ] as const)
      write(`/usr/share/wordpress/${name}`, text)
    const [wordpress] = await catalog()
    assert.deepEqual(
      [wordpress?.available, wordpress?.source, wordpress?.version],
      [true, 'package', '6.1.9'],
    )
  })

  test('get a database, a folder, files, a set-up, a pool and a site, in this order', async () => {
    const answer = await plan({ title: 'A title' })
    assert.equal(answer.status, 200, answer.text)
    const order = [
      /^Create the database ada_wp\d+ in MariaDB$/,
      /^Set the password of the account ada_wp\d+/,
      /^Make the folder sites\/blog\.example\.com\/public/,
      /^Install WordPress in sites\/blog\.example\.com/,
      /^Set WordPress up, with the administrator admin \(ada@example\.com\)$/,
      /php/i,
      /nginx|blog\.example\.com/,
    ]
    let from = 0
    const titles = titlesOf(answer)
    for (const title of order) {
      const found = titles.findIndex((each, at) => at >= from && title.test(each))
      assert.ok(found >= 0, `${title} after ${from} of\n${titles.join('\n')}`)
      from = found + 1
    }
    assert.doesNotMatch(answer.text, /define\(|AUTH_KEY/)
    assert.match(answer.text, /There is no certificate yet: blog\.example\.com does not lead to this host/)
    assert.doesNotMatch((await plan({ certificate: 'none' })).text, /There is no certificate/)
  })

  test('without PHP and a database get neither', async () => {
    const titles = titlesOf(await plan({ application: 'starter' })).join('\n')
    assert.match(titles, /Install Static starter/)
    assert.doesNotMatch(titles, /database|php|Set .* up/)
  })

  test('are refused with the field that is wrong', async () => {
    await addWebsite(panel, { domain: 'taken.example.com', userId: ada.id, username: 'ada' })
    for (const [body, status, code, message] of [
      [{ application: 'joomla' }, 400, 'bad_request', /^application: .*wordpress, dokuwiki, starter/],
      [{ domain: 'taken.example.com' }, 400, 'bad_request', /^domain: taken\.example\.com/],
      [{ domain: '../etc' }, 400, 'bad_request', /^domain: /],
      [{ domain: '-rf' }, 400, 'bad_request', /^domain: /],
      [{ email: undefined }, 400, 'bad_request', /^email: is required: WordPress/],
      [{ email: 'ada' }, 400, 'bad_request', /^email: /],
      [{ administrator: "a'; drop" }, 400, 'bad_request', /^administrator: /],
      [{ administrator: '-x' }, 400, 'bad_request', /^administrator: /],
      [{ title: '' }, 400, 'bad_request', /^title: /],
      [{ title: 'a\nb' }, 400, 'bad_request', /^title: /],
      [{ title: 'x'.repeat(101) }, 400, 'bad_request', /^title: /],
      [{ php_version: '8.1' }, 400, 'bad_request', /^php_version: PHP 8\.1 is not installed/],
      [{ application: 'starter', php_version: '8.2' }, 400, 'bad_request', /^php_version: /],
      [{ certificate: 'yes' }, 400, 'bad_request', /^certificate: /],
      [{ username: 'bob' }, 403, 'forbidden', /^username: /],
    ] as const) {
      const answer = await plan(body)
      assert.deepEqual(
        [answer.status, answer.error?.code],
        [status, code],
        JSON.stringify([body, answer.text]),
      )
      assert.match(answer.error.message, message)
    }
    const unknown = await plan({ username: 'nobody' }, panel.admin)
    assert.match(unknown.error.message, /^username: no hosting user/)
  })

  test('are for those who may have websites', async () => {
    const stranger = await panel.person()
    assert.equal((await plan({}, stranger)).status, 403)
    for (const path of ['/api/applications', '/api/applications/catalog'])
      assert.equal((await panel.request('GET', path, { as: stranger })).status, 403)
  })

  test('are listed to their owners, and to superusers', async () => {
    const id = await addWebsite(panel, { domain: 'mine.example.com', userId: ada.id, username: 'ada' })
    const row = applications.row({
      ...{ website_id: id, user_id: ada.id, application: 'starter', version: '1.0' },
      ...{ administrator: null, created_at: new Date().toISOString() },
    })
    await panel.store.transaction((tx) => panel.store.write(tx, [applications.insert(row)]))
    const list = async (as: Person) => {
      const answer = await panel.request('GET', '/api/applications', { as })
      assert.equal(answer.status, 200, answer.text)
      return answer.data
    }
    const bob = await panel.person({ permissions: ['websites_management'] })
    assert.equal((await list(bob)).total, 0)
    for (const as of [ada, panel.admin]) {
      const { items, total } = await list(as)
      assert.deepEqual(
        [total, items[0].domain, items[0].name, items[0].url, items[0].sign_in_url],
        [1, 'mine.example.com', 'Static starter', 'http://mine.example.com/', null],
      )
    }
  })

  test('are refused where no further website is allowed', async () => {
    await addWebsite(panel, { domain: 'third.example.com', userId: ada.id, username: 'ada' })
    const { status, error } = await plan({ application: 'starter', domain: 'fourth.example.com' })
    assert.deepEqual([status, error.code], [403, 'license_limit'])
  })
})
