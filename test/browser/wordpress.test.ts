import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Route } from 'playwright-core'
import { defaultSettings } from '../../src/areas/websites/settings-model.ts'
import { insertRow } from '../../src/store/rows.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { addWebsite } from '../support/websites.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const adaUid = 61_028

const item = (name: string, title: string, more: object = {}) => ({
  ...{ name, title, version: '1.0', is_active: false, is_needed: false, new_version: null },
  ...more,
})
const plan = (title: string, effect: 'changes' | 'destroys' = 'changes') => ({
  ...{ summary: title, rows: [], jobs: [], details: [], is_reversible: true, effect, digest: 'a' },
  steps: [{ title, details: ['The front page and the page of sign-ins must answer afterwards'] }],
})

describe('WordPress in a browser', () => {
  let panel: TestPanel
  let home: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched

  before(async () => {
    home = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    chmodSync(home, 0o755)
    mkdirSync(`${home}/ada`)
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid: adaUid, home: `${home}/ada` }]]),
    })
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const id = await addWebsite(panel, { domain: 'blog.example.com', userId: ada.id, type: 'php' })
    const settings = JSON.stringify({ ...defaultSettings, php_version: '8.2' })
    const row = insertRow('website_settings', { website_id: id, settings, passwords: null })
    await panel.store.transaction((tx) => panel.store.write(tx, [row]))
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

  test('a website is listed once its folder has WordPress', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/applications`)
    await page.getByRole('link', { name: 'WordPress', exact: true }).click()
    await page.getByText('No WordPress yet').waitFor()
    await assertSound(page, 'no WordPress')
    const root = `${home}/ada/sites/blog.example.com/public`
    mkdirSync(`${root}/wp-includes`, { recursive: true })
    writeFileSync(`${root}/wp-includes/version.php`, "<?php\n$wp_version = '6.1.9';\n")
    writeFileSync(`${root}/wp-config.php`, '<?php\n')
    for (const path of ['', '/sites', '/sites/blog.example.com'])
      chownSync(`${home}/ada${path}`, adaUid, adaUid)
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'blog.example.com' })
    await row.getByText('6.1.9').waitFor()
    await row.getByText('Its owner').waitFor()
    await assertSound(page, 'the list of WordPress')
  })

  const found = {
    ...{ website_id: 1, domain: 'blog.example.com', username: 'ada', version: '6.1.9' },
    ...{ url: 'http://blog.example.com/', is_suspended: false, is_installed_by_panel: false },
    ...{ title: 'Ada & friends', php_version: '8.2', new_version: '6.2', checked_at: null },
    plugins: [
      item('akismet/akismet.php', 'Akismet', { is_active: true, new_version: '5.0' }),
      item('probe/probe.php', 'Probe', { new_version: '2.0' }),
    ],
    themes: [
      item('child', 'Child', { is_active: true }),
      item('parent', 'Parent', { is_needed: true }),
      item('spare', 'Spare'),
    ],
    administrators: ['admin', 'editor'],
    hardening: {
      ...{ no_php_in_uploads: true, no_file_editing: true, no_xmlrpc: false, limited_sign_ins: false },
    },
  }

  /** PHP is on no machine of these tests: its answers are those of the test. Returns what was sent. */
  const stand = async (answers: Readonly<Record<string, (isPlan: boolean) => object>>) => {
    const sent: unknown[] = []
    const answer = async (route: Route) => {
      const url = new URL(route.request().url())
      const name = `${route.request().method()} ${url.pathname.replace(/^.*\/wordpress\/\d+/, '')}`
      const isPlan = url.searchParams.has('plan')
      if (!isPlan && route.request().method() !== 'GET') sent.push(route.request().postDataJSON())
      const data = name === 'GET ' ? found : answers[name]?.(isPlan)
      await (data === undefined
        ? route.fallback()
        : route.fulfill({ status: 200, json: { success: true, data } }))
    }
    await watched.page.unrouteAll({ behavior: 'wait' })
    await watched.page.route(/\/api\/wordpress\/\d+/, answer)
    return sent
  }

  test('a WordPress shows its version, plugins and themes, and what can be done with each', async () => {
    const { page } = watched
    await stand({})
    await page.goto(`${web.baseUrl}/wordpress`)
    await page.getByRole('link', { name: 'blog.example.com', exact: true }).click()
    await page.getByText('6.2 is available').waitFor()
    await assertSound(page, 'a WordPress')
    await page.getByRole('tab', { name: 'Plugins (2 updates)' }).click()
    const probe = page.getByRole('row').filter({ hasText: 'probe/probe.php' })
    await probe.getByText('2.0 is available').waitFor()
    await settles(() => page.getByRole('button', { name: 'Delete Akismet' }).count(), 0)
    await assertSound(page, 'the plugins of a WordPress')
    await page.getByRole('tab', { name: 'Themes' }).click()
    await page.getByRole('button', { name: 'Delete Spare' }).waitFor()
    for (const name of ['Delete Parent', 'Delete Child', 'Deactivate Child'])
      await settles(() => page.getByRole('button', { name }).count(), 0)
    await assertSound(page, 'the themes of a WordPress')
  })

  test('several plugins are updated at once, when their plan was shown', async () => {
    const { page } = watched
    const done = { items: [], backup: 'before-restore-1' }
    const sent = await stand({ 'POST /updates': (isPlan) => (isPlan ? plan('Update 2 plugins') : done) })
    await page.getByRole('tab', { name: /^Plugins/ }).click()
    await page.getByRole('button', { name: 'Update all 2' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The front page and the page of sign-ins must answer afterwards').waitFor()
    await assertSound(page, 'the plan of an update of WordPress')
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('2 plugins were updated.').waitFor()
    assert.deepEqual(sent, [
      {
        items: [
          { kind: 'plugin', name: 'akismet/akismet.php' },
          { kind: 'plugin', name: 'probe/probe.php' },
        ],
        check_site: true,
      },
    ])
  })

  test('a plugin is updated from an archive, deactivated and deleted', async () => {
    const { page } = watched
    const success = { success: true }
    const done = { items: [], backup: 'before-restore-1' }
    const sent = await stand({
      'POST /updates': (isPlan) => (isPlan ? plan('Update a plugin') : done),
      'POST /state': (isPlan) => (isPlan ? plan('Deactivate the plugin') : success),
      'POST /deletions': (isPlan) => (isPlan ? plan('Delete a plugin', 'destroys') : done),
    })
    await page.getByRole('button', { name: 'From archive: Probe' }).click()
    await page.getByRole('dialog').getByLabel('Archive in the home').fill('probe-2.zip')
    await assertSound(page, 'the form of an archive of WordPress')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('Probe was updated.').waitFor()
    await page.getByRole('button', { name: 'Deactivate Akismet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.getByText('Akismet was deactivated.').waitFor()
    await page.getByRole('button', { name: 'Delete Probe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the plugin' }).click()
    await page.getByText('Probe was deleted.').waitFor()
    const probe = { kind: 'plugin', name: 'probe/probe.php' }
    assert.deepEqual(sent, [
      { items: [{ ...probe, path: 'probe-2.zip' }], check_site: true },
      { kind: 'plugin', name: 'akismet/akismet.php', active: false },
      { items: [probe], check_site: true },
    ])
  })

  test('WordPress itself is updated, from where it says or from an archive', async () => {
    const { page } = watched
    const done = { items: [], backup: 'before-restore-1' }
    const sent = await stand({ 'POST /core/update': (isPlan) => (isPlan ? plan('Update WordPress') : done) })
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Update WordPress' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The front page and the page of sign-ins must answer afterwards').waitFor()
    await assertSound(page, 'the plan of an update of WordPress itself')
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('WordPress was updated.').waitFor()
    await page.getByRole('button', { name: 'From archive: WordPress' }).click()
    await dialog.getByLabel('Archive in the home').fill('wordpress-6.2.zip')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await dialog.last().getByRole('button', { name: 'Update', exact: true }).click()
    await settles(() => dialog.count(), 0)
    assert.deepEqual(sent, [{ check_site: true }, { path: 'wordpress-6.2.zip', check_site: true }])
  })

  test('a switch of the protection is saved alone', async () => {
    const { page } = watched
    const sent = await stand({
      'PATCH /hardening': (isPlan) => (isPlan ? plan('Write the website') : found.hardening),
    })
    await page.getByRole('tab', { name: 'Protection' }).click()
    await page.getByLabel('XML-RPC off').waitFor()
    await assertSound(page, 'the protection of a WordPress')
    await page.getByLabel('XML-RPC off').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The protection was saved.').waitFor()
    assert.deepEqual(sent, [{ no_xmlrpc: true }])
  })

  test('an administrator is chosen, and their link is shown once', async () => {
    const { page } = watched
    const link = 'http://blog.example.com/wp-login.php?hostreeve_sign_in=1#shown-once'
    const sent = await stand({
      'POST /sign-in': () => ({ user: 'admin', link, expires_at: new Date().toISOString() }),
    })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await assertSound(page, 'the choice of an administrator')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByText(link).waitFor()
    await settles(() => page.getByRole('link', { name: 'Open WordPress' }).getAttribute('href'), link)
    await assertSound(page, 'the link of an administrator')
    await page.keyboard.press('Escape')
    await settles(() => page.getByText(link).count(), 0)
    assert.deepEqual(sent, [{ user: 'admin' }])
    await page.unrouteAll({ behavior: 'wait' })
    assert.deepEqual(watched.complaints, [])
  })
})
