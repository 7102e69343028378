import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { defaultSettings } from '../../src/areas/websites/settings-model.ts'
import { scriptPhp } from '../../src/tools/php/testing/scripted-php.ts'
import { createSelfSigned } from '../../src/host/self-signed.ts'
import { insertRow } from '../../src/store/rows.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const programs: Script = ([program]) => {
  if (program === 'find') return { code: 1 }
  if (program === 'apt-cache') return { stdout: 'php8.4-fpm - PHP\nphp8.4-mysql - PHP\n' }
  if (program === 'openssl') return { stdout: '$6$salt$hash\n' }
  return program === 'ln' ? { code: 0 } : undefined
}
const adaUid = 61_022

describe('the settings of websites in a browser', () => {
  let panel: TestPanel
  let home: string
  let dataDir: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let proxyId: number

  before(async () => {
    home = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    chmodSync(home, 0o755)
    mkdirSync(`${home}/ada`)
    chownSync(`${home}/ada`, adaUid, adaUid)
    dataDir = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    panel = await openTestPanel({
      dataDir,
      hasNginx: true,
      addresses: { resolve: async () => [], own: () => ['192.0.2.1'] },
      accounts: new Map([['ada', { uid: adaUid, home: `${home}/ada` }]]),
      scripts: [programs, scriptPhp(() => panel.root, '8.1')],
    })
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const body = {
      domain: 'app.example.com',
      type: 'proxy',
      upstream: 'http://192.0.2.7:3000',
      username: 'ada',
    }
    const created = await panel.request('POST', '/api/websites', { as: panel.admin, body })
    assert.equal(created.status, 201, created.text)
    proxyId = created.data.id
    await insertPhpSite(panel, ada.id)
    for (const folder of ['usr/sbin', 'etc/php/8.1/fpm/conf.d'])
      mkdirSync(`${panel.root}/${folder}`, { recursive: true })
    writeFileSync(`${panel.root}/usr/sbin/php-fpm8.1`, '')
    writeFileSync(`${panel.root}/etc/php/8.1/fpm/php.ini`, 'memory_limit = 128M\n')
    web = await serveWithPages(panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page: watched.page }, panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await panel?.close()
    for (const folder of [home, dataDir]) if (folder) rmSync(folder, { recursive: true, force: true })
  })

  const card = (title: string) => watched.page.getByRole('region', { name: title, exact: true })
  const read = async () => (await panel.request('GET', `/api/websites/${proxyId}`, { as: panel.admin })).data

  test('a proxy gets a redirect and a password, which is not shown again', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${proxyId}/settings`)
    await page.getByRole('heading', { name: 'Proxy' }).waitFor()
    await assertSound(page, 'the settings of a proxy')
    await card('Redirects').getByRole('button', { name: 'Add redirect' }).click()
    const redirect = page.getByRole('group', { name: 'Redirect 1' })
    await redirect.getByLabel('From').fill('/old')
    await redirect.getByLabel('To').fill('/new')
    await redirect.getByRole('switch', { name: 'With everything below' }).check({ force: true })
    await card('Redirects').getByRole('button', { name: 'Save' }).click()
    await page.getByText('app.example.com was changed.').waitFor()
    assert.deepEqual((await read()).redirects, [{ from: '/old', to: '/new', prefix: true }])
    await page.getByRole('button', { name: 'Add user' }).click()
    const user = page.getByRole('group', { name: 'User 1' })
    await user.getByLabel('Folder').fill('/private/')
    await user.getByLabel('Username').fill('bob')
    await user.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await card('Passwords').getByRole('button', { name: 'Save' }).click()
    await page.getByText('app.example.com was changed.').nth(1).waitFor()
    assert.deepEqual((await read()).basic_auth, [
      { folder: '/private/', users: [{ username: 'bob', password: '••••••••' }] },
    ])
    await settles(() => page.getByText('correct horse').count(), 0)
    assert.deepEqual(watched.complaints, [])
  })

  test('of two aliases, the one that was chosen is removed', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${proxyId}`)
    for (const name of ['one.example.com', 'two.example.com']) {
      await page.getByLabel('Add an alias').fill(name)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
    await page.getByRole('button', { name: 'Remove two.example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the alias' }).click()
    await page.getByText('two.example.com was removed.').waitFor()
    assert.deepEqual((await read()).aliases, ['one.example.com'])
    assert.deepEqual(watched.complaints, [])
  })

  test('versions of PHP are listed, and directives of php.ini are reviewed and set', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/settings/php`)
    await page.getByRole('button', { name: 'Install PHP 8.4' }).waitFor()
    await page.getByRole('combobox', { name: 'Disabled functions' }).fill('exec')
    await assertSound(page, 'the versions of PHP')
    await page.getByRole('link', { name: 'PHP 8.1' }).click()
    await page.getByLabel('Search directives').fill('memory')
    await page.getByRole('button', { name: 'Edit memory_limit' }).click()
    await page.getByRole('dialog').getByLabel('memory_limit').fill('much')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('memory_limit must be a number of bytes such as 256M, or -1').waitFor()
    await page.getByRole('dialog').getByLabel('memory_limit').fill('256M')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('memory_limit was set for PHP 8.1.').waitFor()
    await assertSound(page, 'the directives of php.ini')
    assert.equal(readFileSync(`${panel.root}/etc/php/8.1/fpm/php.ini`, 'latin1'), 'memory_limit = 256M\n')
    assert.deepEqual(watched.complaints, [])
  })

  test('a crontab is reviewed, saved, and shows its next runs', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${proxyId}/crontab`)
    await page.getByText('Nothing runs: the package cron is not installed.').waitFor()
    await page.getByLabel('Lines').fill('61 * * * * true')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('line 1: the minute 61 is above 59').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Lines').fill('0 4 * * * php cron.php')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Run now: line 1' }).waitFor()
    await page.getByText('Nothing has run yet.').waitFor()
    await assertSound(page, 'the crontab of a website')
    assert.deepEqual(watched.complaints, [])
  })

  test('the traffic of a website is shown by the hour', async () => {
    const { page } = watched
    const directory = `${panel.root}${panel.tools.nginx.logDirectory('app.example.com')}`
    mkdirSync(directory, { recursive: true })
    const [, month = '', day = '', year = '', time = ''] =
      /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(new Date().toUTCString()) ?? []
    const stamp = `${month}/${day}/${year}:${time} +0000`
    appendFileSync(
      `${directory}/access.log`,
      `203.0.113.9 - - [${stamp}] "GET /slow?x=1 HTTP/1.1" 200 2048 "-" "-" 2.500\n`.repeat(3),
    )
    await page.goto(`${web.baseUrl}/websites/${proxyId}/traffic`)
    await page.getByText('2.500 s').waitFor()
    await page.getByText('6.0 KiB').first().waitFor()
    await page.getByRole('radiogroup', { name: 'Time span' }).getByText('90 days').click()
    await page.getByText('/slow', { exact: true }).waitFor()
    await assertSound(page, 'the traffic of a website')
    assert.deepEqual(watched.complaints, [])
  })

  test('a website moves to another domain, once its plan was shown', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${proxyId}`)
    await page.getByRole('button', { name: 'Clone', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Domain').fill('copy.example.com')
    await assertSound(page, 'the copy of a website')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Domain').fill('blog.example.com')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('blog.example.com belongs to another website').waitFor()
    await page.getByRole('dialog').getByLabel('Domain').fill('moved.example.com')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Rename sites/app.example.com to sites/moved.example.com').waitFor()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('The website is moved.example.com of ada now.').waitFor()
    assert.equal((await read()).domain, 'moved.example.com')
    assert.deepEqual(watched.complaints, [])
  })

  test('the panel has a certificate ordered for its name, once its plan was shown', async () => {
    const { page } = watched
    const folder = `${panel.root}${dataDir}/tls`
    mkdirSync(folder, { recursive: true })
    const name = 'old.example.com'
    const { cert, key } = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
    writeFileSync(`${folder}/panel.crt`, cert)
    writeFileSync(`${folder}/panel.key`, key, { mode: 0o600 })
    await page.goto(`${web.baseUrl}/settings/certificate`)
    await card('Certificate').getByText('Not automatic').waitFor()
    await card('Certificate').getByText(name).first().waitFor()
    await assertSound(page, 'the certificate of the panel')
    const typed = page.getByLabel('Host name of the panel')
    await typed.fill('panel')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('a host name in lower case such as panel.example.com').first().waitFor()
    await typed.fill('https://Panel.example.com/')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('Order a certificate for panel.example.com, and serve the panel with it').waitFor()
    await page.getByText(/panel\.example\.com does not lead to this host alone/).waitFor()
    assert.deepEqual(watched.complaints, [])
  })

  test('a website of PHP shows its version, limits and folders', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/9/settings`)
    await page.getByText('That is no border between two websites of one owner').waitFor()
    await settles(() => page.getByLabel('PHP version').inputValue(), '8.2')
    await settles(() => card('Allowed limits').getByLabel('Memory in MiB').inputValue(), '512')
    await settles(() => card('PHP').getByLabel('Memory in MiB').inputValue(), '128')
    await assertSound(page, 'the settings of a website of PHP')
    assert.deepEqual(watched.complaints, [])
  })
})

async function insertPhpSite({ store }: TestPanel, userId: number): Promise<void> {
  const at = new Date().toISOString()
  const website = {
    id: 9,
    domain: 'blog.example.com',
    user_id: userId,
    username: 'ada',
    type: 'php' as const,
    root: '/home/ada/sites/blog.example.com/public',
    is_suspended: 0,
    certificate: null,
    https_redirect: 0,
    hsts: 0,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
  const settings = JSON.stringify({ ...defaultSettings, php_version: '8.2' })
  await store.transaction((tx) =>
    store.write(tx, [
      insertRow('websites', website),
      insertRow('website_settings', { website_id: 9, settings, passwords: null }),
    ]),
  )
}
