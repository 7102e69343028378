import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { countClicks, openBrowser } from '../browser/browser.ts'
import { signIn } from '../browser/flows/sign-in.ts'
import { bootHost, type Host, type Panel, startPanel } from './harness/index.ts'
import { openForwardProxy } from './story/forward-proxy.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const domain = 'letters.example.com'
/** Of a newcomer, from the sign-in to a published post. */
const mostClicks = 12

describe('a first WordPress', () => {
  let host: Host
  let panel: Panel
  let ada: Owner
  let proxy: Server
  let browser: Browser
  let context: BrowserContext
  let page: Page
  before(async () => {
    host = await bootHost('firstwp', { image: 'phpPools' })
    panel = await startPanel(host)
    const admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    proxy = await openForwardProxy(host, Number(panel.environment.HOSTREEVE_PORT))
    browser = await openBrowser()
    const { port } = proxy.address() as AddressInfo
    const server = `http://127.0.0.1:${port}`
    context = await browser.newContext({ viewport: { width: 1280, height: 860 }, proxy: { server } })
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    await signIn({ baseUrl: `http://localhost:${port}`, page }, ada)
  })
  after(async () => {
    await browser?.close()
    proxy?.close()
    proxy?.closeAllConnections()
    await host?.remove()
  })

  /** Installs WordPress by clicks; returns the password of its administrator. */
  const install = async (): Promise<string> => {
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Websites' }).click()
    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByRole('button', { name: 'Install WordPress' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Domain').fill(domain)
    await form.getByLabel('Title').fill('Letters')
    await form.getByRole('button', { name: 'Review changes' }).click()
    const plan = page.getByRole('dialog').last()
    await plan.getByText('Set WordPress up, with the administrator admin').waitFor()
    await plan.getByRole('button', { name: 'Install', exact: true }).click()
    const shown = page.getByLabel('password', { exact: true })
    await shown.waitFor({ timeout: 300_000 })
    const password = (await shown.textContent()) ?? ''
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    return password
  }
  /** Signs in to WordPress in the tab that the panel opens. */
  const openWordPress = async (password: string): Promise<Page> => {
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    const tab = await opened
    await tab.getByLabel('Username or Email Address').fill('admin')
    await tab.getByLabel('Password', { exact: true }).fill(password)
    return tab
  }
  const publish = async (tab: Page, title: string): Promise<void> => {
    await tab.getByRole('button', { name: 'Log In' }).click()
    await tab.locator('#wp-admin-bar-new-content > a').click()
    const welcome = tab.getByRole('dialog') // of the editor, which hides all else
    await welcome.waitFor()
    await tab.keyboard.press('Escape')
    await welcome.waitFor({ state: 'detached' })
    await tab.getByRole('textbox', { name: 'Add title' }).fill(title)
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    const asked = tab.getByRole('region', { name: 'Editor publish' })
    await asked.getByRole('button', { name: 'Publish', exact: true }).click()
    await asked.getByText('is now live').waitFor()
  }

  it('is installed, and has a post that visitors read, in at most twelve clicks', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const inPanel = await countClicks(page)
    const tab = await openWordPress(await install())
    const inWordPress = await countClicks(tab)
    await publish(tab, 'Hello from a newcomer')
    const { status, text } = await visit(host, domain)
    assert.deepEqual([status, /Hello from a newcomer/.test(text)], [200, true], text.slice(0, 500))
    const made = (await inPanel()) + (await inWordPress())
    assert.ok(made > 10 && made <= mostClicks, `${made} clicks`)
  })

  it('is installed and written by the commands of the guide', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/first-wordpress.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /http:\/\/first\.example\.com\/wp-login\.php/)
    assert.match(output, /Hello from Ada/)
    assert.match((await visit(host, 'first.example.com')).text, /Hello from Ada/)
  })
})
