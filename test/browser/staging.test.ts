import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const programs: Script = ([program]) => {
  if (program === 'find') return { code: 1 }
  return program === 'ln' ? { code: 0 } : undefined
}
const uid = 61_029

describe('staging in a browser', () => {
  let panel: TestPanel
  let home: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let live = 0

  before(async () => {
    home = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    chmodSync(home, 0o755)
    mkdirSync(`${home}/ada`)
    chownSync(`${home}/ada`, uid, uid)
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid, home: `${home}/ada` }]]),
      scripts: [programs],
    })
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const body = { domain: 'live.example.com', type: 'static' }
    const made = await panel.request('POST', '/api/websites', { as: ada, body })
    assert.equal(made.status, 201, made.text)
    live = made.data.id
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

  test('is made from the page of the website, once its plan was shown', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${live}`)
    await page.getByRole('link', { name: 'Staging' }).click()
    await page.getByText('There is no staging copy yet.').waitFor()
    await assertSound(page, 'staging without a copy')
    await page.getByRole('button', { name: 'New staging copy' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Domain').fill('stage.example.com')
    await assertSound(page, 'the form of a staging copy')
    await form.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Copy sites/live.example.com of ada to sites/stage.example.com').waitFor()
    await page.getByText('The document root has no WordPress: files alone are copied').waitFor()
    await assertSound(page, 'the plan of a staging copy')
    await page.getByRole('dialog').last().getByRole('button', { name: 'Make the copy' }).click()
    await page.getByRole('dialog').getByText('Succeeded').waitFor()
    const file = `${panel.root}/etc/nginx/hostreeve/sites/stage.example.com.conf`
    assert.match(readFileSync(file, 'utf8'), /add_header X-Robots-Tag "noindex, nofollow" always;/)
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'stage.example.com' }).waitFor()
    await assertSound(page, 'staging with a copy')
    assert.ok(existsSync(`${home}/ada/sites/stage.example.com/public/index.html`))
    assert.deepEqual(watched.complaints, [])
  })

  test('shows what a push replaces, at the copy too', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'stage.example.com' }).click()
    await page.getByRole('link', { name: 'Staging' }).click()
    await page.getByText('Copy of live.example.com').waitFor()
    await page.getByRole('button', { name: 'Push to live.example.com' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('What is replaced').selectOption('files')
    await form.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('Replace the files of live.example.com by those of stage.example.com').waitFor()
    await page.getByText('Check that live.example.com answers').waitFor()
    await assertSound(page, 'the plan of a push')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.deepEqual(watched.complaints, [])
  })

  test('is deleted with its files', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${live}/staging`)
    await page
      .getByRole('group', { name: 'stage.example.com' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText('Remove sites/stage.example.com with everything in it').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There is no staging copy yet.').waitFor()
    assert.ok(!existsSync(`${home}/ada/sites/stage.example.com`))
    assert.deepEqual(watched.complaints, [])
  })
})
