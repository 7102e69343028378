import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
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
import type { SqlConnection } from '../../src/host/apply/steps.ts'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { scriptPhp } from '../../src/tools/php/testing/scripted-php.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const programs: Script = ([program]) => {
  if (program === 'find') return { code: 1 }
  return program === 'ln' ? { code: 0 } : undefined
}
const connection: SqlConnection = {
  run: async ({ parts }) =>
    parts.join('').includes('information_schema.collations')
      ? [{ charset: 'utf8mb4', collation: 'utf8mb4_general_ci' }]
      : [],
}
const adaUid = 61_027

describe('applications in a browser', () => {
  const installed = new Map<string, string>()
  let panel: TestPanel
  let home: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched

  before(async () => {
    home = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    chmodSync(home, 0o755)
    mkdirSync(`${home}/ada`)
    chownSync(`${home}/ada`, adaUid, adaUid)
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid: adaUid, home: `${home}/ada` }]]),
      mariadb: { connection },
      addresses: { resolve: async () => [], own: () => ['192.0.2.1'] },
      scripts: [
        programs,
        scriptPhp(() => panel.root, '8.1'),
        scriptPackages(installed, { 'mariadb-server': '1:10.11.14-0+deb12u2' }),
      ],
    })
    await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.start()
    web = await serveWithPages(panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page: watched.page }, panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await panel?.close()
    if (home) rmSync(home, { recursive: true, force: true })
  })

  const write = (path: string, text: string) => {
    mkdirSync(dirname(`${panel.root}${path}`), { recursive: true })
    writeFileSync(`${panel.root}${path}`, text)
  }

  test('a page to begin with is installed from the list of websites, once its plan was shown', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites`)
    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByText('No version of PHP is installed: install one under Settings › PHP').first().waitFor()
    await page.getByText('No applications yet').waitFor()
    await assertSound(page, 'the applications')
    await page.getByRole('button', { name: 'Install Static starter' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Domain').fill('page.example.com')
    await form.getByLabel('Title').fill('Ada & friends')
    await form.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Install Static starter in sites/page.example.com in the home of ada').waitFor()
    await page.getByText(/There is no certificate yet: page\.example\.com does not lead/).waitFor()
    await assertSound(page, 'the plan of an application')
    await page.getByRole('dialog').last().getByRole('button', { name: 'Install', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: 'page.example.com' })
    await row.getByText('Static starter').waitFor()
    await row.getByText('1.0').waitFor()
    await assertSound(page, 'the applications with one')
    const index = readFileSync(`${home}/ada/sites/page.example.com/public/index.html`, 'utf8')
    assert.match(index, /<h1>Ada &amp; friends<\/h1>/)
    assert.deepEqual(watched.complaints, [])
  })

  test('a domain that is taken is told at its field', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/applications`)
    await page.getByRole('button', { name: 'Install Static starter' }).click()
    await page.getByRole('dialog').getByLabel('Domain').fill('page.example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('page.example.com belongs to another website').waitFor()
    await page.keyboard.press('Escape')
    await settles(() => page.getByRole('dialog').count(), 0)
  })

  test('WordPress asks for its administrator, and its password stays until it is copied', async () => {
    const { page } = watched
    write('/usr/sbin/php-fpm8.1', '')
    for (const sort of ['fpm', 'cli']) write(`/etc/php/8.1/${sort}/conf.d/20-mysqli.ini`, '')
    write('/etc/php/8.1/fpm/php.ini', 'memory_limit = 128M\n')
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    for (const name of ['wp-includes/ID3/getid3.php', 'wp-content/themes/twentyten/style.css'])
      write(`/usr/share/wordpress/${name}`, '')
    write('/usr/share/wordpress/wp-includes/version.php', "<?php\n$wp_version = '6.1.9';\n")
    await page.goto(`${web.baseUrl}/applications?open=wordpress`)
    const form = page.getByRole('dialog')
    await settles(() => form.getByLabel('E-mail of the administrator').inputValue(), panel.admin.email)
    await form.getByLabel('Domain').fill('blog.example.com')
    await assertSound(page, 'the form of WordPress')
    await form.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText(/^Set WordPress up, with the administrator admin/).waitFor()
    // PHP is on no machine of these tests: the answer is that of the test
    const answer = {
      ...{ website_id: 1, application: 'wordpress', domain: 'blog.example.com', version: '6.1.9' },
      ...{ url: 'http://blog.example.com/', sign_in_url: 'http://blog.example.com/wp-login.php' },
      ...{ administrator: 'admin', password: 'shown once', database: 'ada_wp1', has_certificate: false },
    }
    await page.route('**/api/applications', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 201, json: { success: true, data: answer } })
        : route.fallback(),
    )
    await page.getByRole('dialog').last().getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('heading', { name: 'Password of admin on blog.example.com' }).waitFor()
    await page.getByLabel('password', { exact: true }).getByText('shown once').waitFor()
    await assertSound(page, 'the password of an administrator')
    await page.keyboard.press('Escape')
    await page.getByText('You have not copied the password').waitFor()
    await page.getByRole('button', { name: 'Close without copying' }).click()
    await settles(() => page.getByText('shown once').count(), 0)
    assert.ok(!existsSync(`${home}/ada/sites/blog.example.com`))
    assert.deepEqual(watched.complaints, [])
  })
})
