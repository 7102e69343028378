import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { standInPhp } from '../../src/tools/php/testing/stand-in.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { publishedLayout, startPhpmyadminSource } from '../support/phpmyadmin.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const skip = process.getuid?.() === 0 ? false : 'only root gives files to an account'

describe('the web admin in a browser', { skip }, () => {
  test('is installed through its plan, links to a sign-in, and is updated', async (t) => {
    const source = await startPhpmyadminSource()
    t.after(() => source.close())
    source.layout = publishedLayout('5.2.1')
    const panel: TestPanel = await openTestPanel({
      hasNginx: true,
      accounts: new Map(),
      php: { program: standInPhp(() => panel.root) },
      environment: { HOSTREEVE_WEBADMIN_URL: source.url },
    })
    t.after(() => panel.close())
    prepare(panel.root)
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/webadmin`)
    await page.getByText('phpMyAdmin is not installed').waitFor()
    await assertSound(page, 'not installed')
    await button('Install phpMyAdmin').click()
    await dialog.getByText('Download and unpack phpMyAdmin 5.2.1').first().waitFor()
    await assertSound(page, 'the plan of the installation')
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('phpMyAdmin 5.2.1 is installed').waitFor()
    await page.getByText(/Served at/).waitFor()
    await button('Sign in').click()
    const link = page.getByRole('link', { name: 'Open phpMyAdmin' })
    await link.waitFor()
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /:7443\/[a-z0-9]{14}\/signon\.php\?token=[0-9a-f]{64}$/,
    )
    await assertSound(page, 'signing in')
    await page.getByLabel('Database account').fill('ada_shop')
    await link.waitFor({ state: 'detached' })
    await button('Sign in').click()
    await page.getByText(/no password of "ada_shop" is stored/i).waitFor()
    source.layout = publishedLayout('5.2.2')
    await button('Update').click()
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByRole('heading', { name: 'phpMyAdmin 5.2.2' }).waitFor()
    assert.deepEqual(
      complaints.filter((each) => !/400/.test(each)),
      [],
    )
  })
})

/** A PHP that connects to MariaDB, and the password of its root. */
function prepare(root: string): void {
  for (const folder of ['usr/sbin', 'etc/php/8.2/fpm/conf.d', 'root'])
    mkdirSync(`${root}/${folder}`, { recursive: true })
  const extensions = ['mysqli', 'mbstring'].map((name) => `etc/php/8.2/fpm/conf.d/20-${name}.ini`)
  for (const file of ['usr/sbin/php-fpm8.2', 'etc/php/8.2/fpm/php.ini', ...extensions])
    writeFileSync(`${root}/${file}`, '')
  writeFileSync(`${root}/root/.hostreeve-mariadb.cnf`, '[client]\nuser=root\npassword=of root\n')
}
