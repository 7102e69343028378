import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { areas } from '../../src/app/areas.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { openTestPanel, type Person, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { openArea, signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

/** `find` finds no log symlink in any home, and links are created. */
const links: Script = ([program]) =>
  program === 'find' ? { code: 1 } : program === 'ln' ? { code: 0 } : undefined
const adaUid = 61_021
const twoViews = ['light, desktop', 'dark, phone'] as const

describe('finding the way', () => {
  let panel: TestPanel
  let ada: Person
  let home: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    home = makeHome()
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid: adaUid, home: `${home}/ada` }]]),
      scripts: [links, ([program]) => (program === 'nft' ? { code: 127 } : undefined)],
    })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    for (const domain of ['web10.example.com', 'web2.example.com', 'web1.example.com']) {
      const body = { domain, type: 'static' }
      const { status, text } = await panel.request('POST', '/api/websites', { as: ada, body })
      assert.equal(status, 201, text)
    }
    web = await serveWithPages(panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: web.baseUrl, page: watched.page }
    await signIn(visit, panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await panel?.close()
    if (home) rmSync(home, { recursive: true, force: true })
  })
  const palette = () => visit.page.getByRole('combobox', { name: /^Search pages/ })
  const chosen = () => visit.page.getByRole('option', { selected: true })

  test('the palette opens a website by a part of its name, by keyboard alone', async () => {
    const { page } = visit
    await page.keyboard.press('Control+k')
    await palette().and(page.locator(':focus')).waitFor()
    await page.keyboard.type('web')
    await page.getByRole('option', { name: 'web10.example.com' }).waitFor()
    await assertSound(page, 'the palette', twoViews)
    await page.keyboard.press('ArrowUp') // from the first result to the last
    await chosen().filter({ hasText: 'web10.example.com' }).waitFor()
    await settles(() => palette().getAttribute('aria-activedescendant'), await chosen().getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await chosen().filter({ hasText: 'web2.example.com' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'web2.example.com' }).waitFor()
    await settles(() => palette().count(), 0)
  })

  test('the crumbs of a website lead back to the list', async () => {
    const { page } = visit
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await settles(() => crumbs.locator('[aria-current=page]').textContent(), 'web2.example.com')
    await crumbs.getByRole('link', { name: 'Websites' }).click()
    await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
    await settles(() => crumbs.count(), 0)
  })

  test('the palette opens the dialog of an action, also by touch, and the address stays that of the page', async () => {
    const { page } = visit
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await palette().fill('new us')
    await page.getByText(/^\d+ results?$/).waitFor() // until then the results move
    await page.getByRole('option', { name: 'New user' }).click()
    await page.getByRole('dialog', { name: 'New user' }).waitFor()
    await page.waitForURL(`${web.baseUrl}/users`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  test('the shortcuts act outside of fields only', async () => {
    const { page } = visit
    const search = page.getByRole('searchbox', { name: 'Search users' })
    await page.locator('main').focus()
    await page.keyboard.press('/')
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('a/?')
    await settles(() => search.inputValue(), 'a/?')
    await search.fill('')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    await assertSound(page, 'the shortcuts', twoViews)
    await page.keyboard.press('/')
    await settles(() => search.and(page.locator(':focus')).count(), 0, 'not behind a dialog')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
  })

  test('the header names the host and its user, and links the API reference', async () => {
    const { page } = visit
    const { data } = await panel.request('GET', '/api/system/info', { as: panel.admin })
    await page.getByText(`${data.hostname} · ${data.panel.user}`).waitFor()
    await page.getByRole('button', { name: 'Help' }).click()
    const reference = page.getByRole('menuitem', { name: 'API reference' })
    await settles(() => reference.getAttribute('href'), '/api/docs')
    await page.keyboard.press('Escape')
  })

  test('the menu shows icons alone on a tablet, and where that is chosen, also after a reload', async () => {
    const { page } = visit
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    const untilWidth = (width: number) => settles(async () => (await menu.boundingBox())?.width, width)
    await openArea(visit, 'Websites')
    await page.setViewportSize({ width: 768, height: 860 })
    await untilWidth(64)
    await menu.getByRole('link', { name: 'Users', exact: true }).hover()
    await page.getByRole('tooltip', { name: 'Users' }).waitFor()
    assert.equal(await page.locator('thead').evaluate((head) => head.offsetHeight > 20), true, 'a table')
    await page.setViewportSize({ width: 1280, height: 860 })
    await untilWidth(248)
    await page.getByRole('button', { name: 'Collapse the menu' }).click()
    await page.reload()
    await menu.getByRole('link', { name: 'Users', exact: true }).waitFor()
    await untilWidth(64)
    await page.getByRole('button', { name: 'Expand the menu' }).click()
    await untilWidth(248)
  })

  test('names are in their natural order, and a bulk action shows its plans, its progress and each failure', async () => {
    const { page } = visit
    const names = page.getByRole('row').getByRole('link')
    await names.first().waitFor()
    assert.deepEqual(await names.allTextContents(), [
      'web1.example.com',
      'web2.example.com',
      'web10.example.com',
    ])
    for (const name of ['web2', 'web10']) await page.getByLabel(`Select ${name}.example.com`).check()
    const bar = page.getByRole('group', { name: 'Actions on the selection' })
    await bar.getByText('2 selected').waitFor()
    await assertSound(page, 'selected rows', twoViews)
    const { data } = await panel.request('GET', '/api/websites?search=web10', { as: panel.admin })
    await bar.getByRole('button', { name: 'Suspend', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend 2 websites' })
    await panel.request('POST', `/api/websites/${data.items[0].id}/suspend`, { as: panel.admin })
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
    await dialog.getByText('1 of 2 done, 1 failed').waitFor()
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'web10' })
      .getByText(/already/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const deletion = page.getByRole('dialog', { name: 'Delete 2 websites' })
    await deletion
      .getByText(/Delete website web10/)
      .first()
      .waitFor()
    await assertSound(page, 'the plans of a bulk action', twoViews)
    await deletion.getByRole('button', { name: 'Delete', exact: true }).click()
    await deletion.getByText('2 of 2 done').waitFor()
    await deletion.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('1–1 of 1').waitFor()
    assert.deepEqual(await names.allTextContents(), ['web1.example.com'])
  })

  test('a row whose plan is refused is left out with its reason', async () => {
    const { page } = visit
    await openArea(visit, 'Users')
    await page.getByLabel('Select all rows').check()
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend 2 users' })
    await dialog
      .getByRole('listitem')
      .filter({ hasText: panel.admin.email })
      .getByText('Not possible')
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('the header shows the jobs of all areas, and cancels one', async () => {
    const { page } = visit
    const started = await panel.request('POST', '/api/programs/nginx/install', { as: panel.admin })
    assert.equal(started.status, 202, started.text)
    await page.getByRole('button', { name: 'Jobs, 1 active' }).click()
    const jobs = page.getByRole('dialog', { name: /^Jobs/ })
    await jobs.getByRole('link', { name: 'Install nginx' }).waitFor()
    await assertSound(page, 'the active jobs', twoViews)
    await jobs.getByRole('button', { name: 'Cancel the job …' }).click()
    const cancelled = page.waitForResponse(/\/api\/jobs\/\d+\/cancel$/)
    await jobs.getByRole('button', { name: 'Cancel the job', exact: true }).click()
    assert.equal((await cancelled).status(), 200)
    await jobs.getByRole('link', { name: 'All jobs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  })

  test('a change that is a job goes on when its dialog is closed', async () => {
    const { page } = visit
    const { id, email } = await panel.person()
    await page.goto(`${visit.baseUrl}/users/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${email}` })
    await dialog.getByRole('button', { name: 'Delete the user' }).click()
    await dialog.getByText('It goes on as a job when you close this').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText(`Delete ${email}: goes on as a job.`).first().waitFor()
    const { data } = await panel.request('GET', '/api/jobs?state=queued', { as: panel.admin })
    const job = data.items.find(({ title }: { readonly title: string }) => title.includes(email))
    assert.ok(job, JSON.stringify(data.items))
    const cancel = `/api/jobs/${job.id}/cancel`
    assert.equal((await panel.request('POST', cancel, { as: panel.admin })).status, 200)
  })

  test('a page that is opened by its address says which program is missing, in every area, and offers to install it', async () => {
    const { page, context } = await openPage(browser)
    await signIn({ ...visit, page }, panel.admin)
    await page.goto(`${visit.baseUrl}/firewall/bans`) // nothing is pretended here
    const main = page.getByRole('main')
    await main.getByText('nft is not installed', { exact: true }).waitFor()
    await main.getByRole('button', { name: 'Install nftables' }).waitFor()
    await assertSound(page, 'a program is missing', twoViews)
    const needy = await pretendMissing(page)
    assert.ok(needy.length >= 4, `${needy.length} areas need a program`)
    for (const { path, program } of needy) {
      await page.goto(`${visit.baseUrl}${path}`)
      await main.getByRole('button', { name: `Install ${program}` }).waitFor()
      await settles(() => main.getByText('Something went wrong').count(), 0, path)
    }
    await context.close()
    const theirs = await openPage(browser)
    await signIn({ ...visit, page: theirs.page }, ada)
    await pretendMissing(theirs.page)
    await theirs.page.goto(`${visit.baseUrl}/websites`)
    await theirs.page.getByText('Ask an administrator to install it').waitFor()
    await settles(() => theirs.page.getByRole('button', { name: /^Install/ }).count(), 0)
    await theirs.context.close()
  })

  /** Has the panel say to a page that the programs of all areas are missing; returns the areas with their first program. */
  async function pretendMissing(page: Page) {
    const lack = { present: false, healthy: false, installable: true, reason: 'It is not installed' }
    await page.route('**/api/programs/areas', async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      for (const area of data) area.programs = area.programs.map((each: object) => Object.assign(each, lack))
      await route.fulfill({ response, json: { data } })
    })
    return areas.flatMap(({ menu, needs = [] }) =>
      menu && typeof needs[0] === 'string' ? [{ path: menu.path, program: needs[0] }] : [],
    )
  }

  test('a hosting user finds only what the account may use', async () => {
    const theirs = await openPage(browser)
    await signIn({ ...visit, page: theirs.page }, ada)
    await theirs.page.getByRole('button', { name: /^Search/ }).click()
    const field = theirs.page.getByRole('combobox', { name: /^Search pages/ })
    await theirs.page.getByRole('option', { name: 'New website' }).waitFor()
    await field.fill(panel.admin.email)
    await theirs.page.getByText('Nothing found').waitFor()
    await field.fill('users')
    await theirs.page.getByText('Nothing found').waitFor()
    await theirs.context.close()
  })

  test('nothing broke the content policy, and no other host was asked', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

/** A folder that contains the home of ada. */
function makeHome(): string {
  const folder = mkdtempSync(`${tmpdir()}/navigation-`)
  chmodSync(folder, 0o755)
  mkdirSync(`${folder}/ada`)
  chownSync(`${folder}/ada`, adaUid, adaUid)
  return folder
}
