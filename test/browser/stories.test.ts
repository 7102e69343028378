import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { haproxySkipReason } from '../../src/tools/haproxy/testing/scratch.ts'
import { until } from '../support/until.ts'
import { countClicks, openBrowser, openPage, type Watched } from './browser.ts'
import { confirm as confirmPlan } from './flows/files.ts'
import { signIn } from './flows/sign-in.ts'
import { tabTo } from './keyboard.ts'
import { openStoriesPanel, type StoriesPanel } from './stories-panel.ts'
import { settles } from './settles.ts'
import { freePorts } from '../support/free-ports.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const nina = { email: 'nina@example.com', fullname: 'Nina', account: 'nina', password: 'a long password' }
const otto = { email: 'otto@example.com', fullname: 'Otto', account: 'otto', password: 'a long password' }

describe('stories in a browser', { skip: skip || haproxySkipReason() }, () => {
  let stories: StoriesPanel
  let browser: Browser
  let watched: Watched
  let page: Page
  let clicks: () => Promise<number>

  before(async () => {
    stories = await openStoriesPanel(`${dirname(entry)}/web`)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await stories?.stop()
  })

  test('a newcomer serves a first site for a new owner in 8 clicks', async (t) => {
    await arrive(t)
    await signInByMouse(stories.bench.panel.admin)
    await page.getByRole('link', { name: 'Create a website' }).click()
    await page.getByRole('button', { name: 'New website' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New website' })
    await dialog.getByRole('textbox', { name: 'Domain' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(' https://Shop.Example.com/ ')
    const owner = dialog.getByLabel('Owner')
    await owner.selectOption({ label: 'New owner …' })
    await dialog.getByRole('textbox', { name: 'E-mail' }).click()
    await settles(() => dialog.getByRole('textbox', { name: 'Domain' }).inputValue(), 'shop.example.com')
    await typeOwner(nina)
    await dialog.getByRole('button', { name: 'Create the website' }).click()
    await assertFirstSite('shop.example.com', nina.account)
    // the list of the select is drawn by the system: its two clicks are not among the events of the page
    await assertClicks(t, 6, 2)
  })

  test('a newcomer serves a site for a new owner by the keyboard alone', async (t) => {
    await arrive(t)
    const { admin } = stories.bench.panel
    await signIn({ baseUrl: stories.baseUrl, page }, admin)
    await press(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Websites' }))
    await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
    await press(page.getByRole('button', { name: 'New website' }).first())
    const dialog = page.getByRole('dialog', { name: 'New website' })
    await dialog.getByRole('textbox', { name: 'Domain' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('HTTP://Blog.Example.com/')
    await tabTo(dialog.getByLabel('Owner'))
    await page.keyboard.press('End')
    await tabTo(dialog.getByRole('textbox', { name: 'E-mail' }))
    await typeOwner(otto)
    await page.keyboard.press('Enter')
    await assertFirstSite('blog.example.com', otto.account)
    await press(page.getByRole('link', { name: 'Upload now' }))
    await page.getByRole('link', { name: 'index.html' }).waitFor()
    await assertClicks(t, 0)
  })

  test('a customer edits a page of an own site, deletes it and restores it in 13 clicks', async (t) => {
    const { bench } = stories
    const site = { domain: 'alice.example.com', type: 'static' }
    const created = await bench.panel.request('POST', '/api/websites', { as: bench.alice, body: site })
    assert.equal(created.status, 201, created.text)
    const index = bench.at('sites/alice.example.com/public/index.html')
    await arrive(t)
    await signInByMouse(bench.alice)
    await page.waitForURL(`${stories.baseUrl}/websites`)
    await page.getByRole('link', { name: site.domain }).click()
    await page.getByRole('link', { name: 'Upload now' }).click()
    await page.getByRole('link', { name: 'index.html', exact: true }).click()
    await page.getByLabel('Content of the file').click()
    await page.keyboard.press('Control+a')
    // typed over highlighted text, Chromium would add the style of that text, which the content policy refuses
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('<h1>Written by Alice</h1>')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await until(() => readFileSync(index, 'utf8') === '<h1>Written by Alice</h1>')
    await page.getByText('Saved', { exact: true }).waitFor() // until then, the page asks before it is left
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('button', { name: 'Actions for index.html' }).click()
    await page.getByRole('menuitem', { name: 'Delete …' }).click()
    await confirmPlan({ baseUrl: stories.baseUrl, page }, 'Move to the trash')
    assert.throws(() => readFileSync(index), { code: 'ENOENT' })
    await page.getByRole('link', { name: 'Trash', exact: true }).click()
    await page.getByRole('button', { name: 'Put back index.html' }).click()
    await page.getByText('index.html is back.').waitFor()
    assert.equal(readFileSync(index, 'utf8'), '<h1>Written by Alice</h1>')
    await assertClicks(t, 13)
  })

  test('an administrator sees that HAProxy is stopped, and starts it in 4 clicks', async (t) => {
    await stories.haproxy.starter.stop()
    await arrive(t)
    await signInByMouse(stories.bench.panel.admin)
    const tile = page.getByRole('region', { name: 'Load balancer', exact: true })
    await tile.getByText('HAProxy does not run').waitFor()
    await tile.getByText('Failing').waitFor()
    await tile.getByRole('link', { name: 'Load balancer' }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('HAProxy is running.').waitFor()
    assert.notEqual(await stories.haproxy.haproxy.stats(), undefined)
    await assertClicks(t, 4)
  })

  test('an administrator resets a password in 6 clicks, and the user signs in with it', async (t) => {
    const password = 'a password by the administrator'
    const { admin } = stories.bench.panel
    const { email } = stories.bench.alice
    await arrive(t)
    await signInByMouse(admin)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).click()
    await page.getByRole('link', { name: email }).click()
    await page.getByRole('button', { name: 'Reset password' }).click()
    const dialog = page.getByRole('dialog', { name: `Reset the password of ${email}` })
    await dialog.getByRole('textbox', { name: 'New password' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(password)
    await dialog.getByRole('button', { name: 'Reset password' }).click()
    await page.getByText(`The password of ${email} was reset.`).waitFor()
    await assertClicks(t, 6)
    const users = await openPage(browser)
    await signIn({ baseUrl: stories.baseUrl, page: users.page }, { email, password })
    await users.page.waitForURL(`${stories.baseUrl}/websites`)
    await users.context.close()
  })

  test('an administrator meets a port conflict, and takes the offered port in 9 clicks', async (t) => {
    const [port] = (await freePorts(1)) as [number]
    const holder = createServer().listen(port, '0.0.0.0')
    t.after(() => holder.close())
    await once(holder, 'listening')
    await arrive(t)
    await signInByMouse(stories.bench.panel.admin)
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name: 'Load balancer' })
      .click()
    await page.getByRole('button', { name: 'New frontend' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New frontend' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('taken')
    await dialog.locator('[name="binds.0.port"]').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(String(port))
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog
      .getByText(new RegExp(`port ${port} is used by .+ \\(process ${process.pid}\\)`, 'i'))
      .waitFor()
    const offer = dialog.getByRole('button', { name: /^Use port \d+$/ })
    const free = /\d+/.exec((await offer.textContent()) ?? '')?.[0]
    await offer.click()
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await confirmNewFrontend()
    await page.getByText('The frontend was added.').waitFor()
    assert.match(await stories.haproxy.read(), new RegExp(`frontend taken\\n\\s+bind \\S*:${free}\\b`))
    await assertClicks(t, 9)
  })

  test('shows that a list is loading on a slow network, and creates one user by a double click', async (t) => {
    await arrive(t)
    await signIn({ baseUrl: stories.baseUrl, page }, stories.bench.panel.admin)
    await throttle()
    const release = await holdTheList()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).click()
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).first().waitFor()
    release()
    await page.getByRole('link', { name: stories.bench.alice.email }).waitFor()
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    await dialog.getByLabel('E-mail').fill('once@example.com')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(nina.password)
    await dialog.getByRole('textbox', { name: 'Full name' }).fill('Once')
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/users') sent++
    })
    await dialog.getByRole('button', { name: 'Create the user' }).dblclick()
    await page.getByRole('link', { name: 'once@example.com' }).waitFor()
    assert.equal(sent, 1)
  })

  test('shows no plan of former values that a slow network brings late', async (t) => {
    await arrive(t)
    await signIn({ baseUrl: stories.baseUrl, page }, stories.bench.panel.admin)
    await page.goto(`${stories.baseUrl}/users`)
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    await dialog.getByLabel('E-mail').fill('late@example.com')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(nina.password)
    await dialog.getByRole('textbox', { name: 'Full name' }).fill('Late')
    await throttle()
    const late = page.waitForResponse((response) => response.url().includes('plan=1'))
    const review = dialog.getByRole('button', { name: 'Review' })
    await review.click()
    await dialog.getByLabel('E-mail').fill('later@example.com')
    await (await late).finished()
    await review.and(page.locator(':enabled:not([data-loading])')).waitFor()
    const plan = dialog.getByRole('region', { name: 'Review changes' })
    await settles(() => plan.count(), 0)
    await review.click()
    await plan.getByText('later@example.com').first().waitFor()
  })

  /** Opens the panel in a new session, in which the presses of the mouse are counted. */
  async function arrive(t: { after(done: () => Promise<void>): void }): Promise<void> {
    watched = await openPage(browser)
    const { context, complaints } = watched
    ;({ page } = watched)
    t.after(async () => {
      await context.close()
      assert.deepEqual(complaints, [])
    })
    await page.goto(stories.baseUrl)
    clicks = await countClicks(page)
  }

  async function signInByMouse({ email, password }: typeof stories.bench.alice): Promise<void> {
    await page.getByLabel('E-mail').click()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  }

  /** Types from the focused e-mail address on; Tab leads to each next field. */
  async function typeOwner({ email, fullname, account, password }: typeof nina): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'New website' })
    await page.keyboard.type(email)
    await tabTo(dialog.getByRole('textbox', { name: 'Full name' }))
    await page.keyboard.type(fullname)
    await tabTo(dialog.getByRole('textbox', { name: 'Linux account' }))
    await page.keyboard.type(account)
    await tabTo(dialog.getByRole('textbox', { name: 'Password' }))
    await page.keyboard.type(password)
  }

  async function assertFirstSite(domain: string, account: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: domain }).waitFor()
    const index = stories.homeOf(account, `sites/${domain}/public/index.html`)
    assert.match(readFileSync(index, 'utf8'), new RegExp(`<h1>${domain.replaceAll('.', '\\.')}</h1>`))
    await page.getByRole('heading', { level: 2, name: 'Next steps' }).waitFor()
    await page.getByRole('link', { name: 'Upload now' }).waitFor()
    await page.getByText('An alias needs the same records.').waitFor()
  }

  async function confirmNewFrontend(): Promise<void> {
    const button = page.getByRole('button', { name: 'Add the frontend' })
    await button.and(page.locator(':enabled')).waitFor()
    await button.click()
  }

  async function press(control: Locator): Promise<void> {
    await control.waitFor()
    await tabTo(control)
    await page.keyboard.press('Enter')
  }

  /** Asserts the clicks of the story; those outside the page are added. */
  async function assertClicks(
    t: { diagnostic(text: string): void },
    inPage: number,
    outside = 0,
  ): Promise<void> {
    const count = await clicks()
    t.diagnostic(`${count + outside} clicks`)
    assert.equal(count, inPage)
  }

  /** 1.6 Mbit/s with 400 ms until an answer begins. */
  /** Holds back the list of users until the returned function is called: on a loaded machine, latency alone can be over too soon. */
  async function holdTheList(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/api\/users(\?|$)/, async (route) => {
      if (route.request().method() === 'GET') await promise
      await route.continue()
    })
    return resolve
  }

  async function throttle(): Promise<void> {
    const session = await watched.context.newCDPSession(page)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    })
  }
})
