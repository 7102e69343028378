import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the web server in a browser', () => {
  test('is switched with its plan, and back', async (t) => {
    const panel = await openTestPanel({ hasNginx: true, hasApache: true })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const dialog = page.getByRole('dialog').last()
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/settings`)
    const tabs = page.getByRole('navigation', { name: 'Pages of the settings' })
    await tabs.getByRole('link', { name: 'Web server' }).click()
    await page.getByText('Access rules of websites').waitFor()
    await assertSound(page, 'web server')
    await page.getByRole('button', { name: 'Switch to Apache', exact: true }).click()
    await dialog.getByText('Stop nginx and start Apache').waitFor()
    await dialog.getByRole('button', { name: 'Switch to Apache', exact: true }).click()
    await page.getByText('Apache serves the websites.').waitFor()
    await page.getByRole('button', { name: 'Switch to nginx', exact: true }).click()
    await dialog.getByRole('button', { name: 'Switch to nginx', exact: true }).click()
    await page.getByText('nginx serves the websites.').waitFor()
    await settles(async () => panel.services.get('nginx')?.isActive, true)
    assert.deepEqual(complaints, [])
  })
})
