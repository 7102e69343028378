import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { openArea, signIn } from './flows/sign-in.ts'
import { createUser } from './flows/users.ts'
import { unreachableByKeyboard } from './keyboard.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

const tenant = { email: 'tenant@example.com', password: 'another long password', fullname: 'Tenant One' }

describe('the dashboard in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, admin)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })
  const region = (name: string) => visit.page.getByRole('region', { name, exact: true })

  test('is where an administrator lands, and shows the tiles of the areas', async () => {
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/dashboard')
    for (const name of ['Websites', 'Software', 'Jobs', 'Recent changes', 'Disk space'])
      await region(name).waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.deepEqual(await unreachableByKeyboard(page), [])
    await assertSound(page, 'dashboard')
  })

  test('leads to the first steps by keyboard, and drops one that is done', async () => {
    const { page } = visit
    const steps = region('First steps')
    await steps.getByRole('link', { name: 'Create a website' }).waitFor()
    await steps.getByRole('link', { name: 'Add a user' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await createUser(visit, tenant)
    await page.getByRole('link', { name: tenant.email }).waitFor()
    await openArea(visit, 'Dashboard')
    await region('Recent changes').getByText(`Create user ${tenant.email}`).waitFor()
    await steps.getByRole('link', { name: 'Create a website' }).waitFor()
    await settles(() => steps.getByRole('link', { name: 'Add a user' }).count(), 0)
  })

  test('opens the page of a tile by its heading', async () => {
    const { page } = visit
    await region('Jobs').getByRole('link', { name: 'Jobs' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  })

  test('shows why a tile or a whole part could not be read, and the other parts all the same', async () => {
    const { page } = visit
    const reason = 'There was no answer within 5 s'
    const tile = { name: 'jobs', title: 'Jobs', link: '/jobs', summary: '', items: [] }
    const tiles = [{ ...tile, state: 'failing', error: reason }]
    await page.route('**/api/dashboard', (route) =>
      route.fulfill({ json: { data: { tiles, first_steps: [] } } }),
    )
    await page.goto(`${panel.baseUrl}/dashboard`)
    await region('Jobs').getByText(reason).waitFor()
    await settles(() => region('First steps').count(), 0)
    await assertSound(page, 'a tile that failed', ['light, desktop', 'dark, phone'])
    await page.unroute('**/api/dashboard')
    const error = { code: 'internal_error', message: 'The store does not answer' }
    await page.route('**/api/dashboard', (route) => route.fulfill({ status: 400, json: { error } }))
    await page.reload()
    await page.getByText('The store does not answer').waitFor()
    await region('Disk space').waitFor()
    await page.unroute('**/api/dashboard')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await region('Jobs').waitFor()
  })

  test('is not for a hosting user, who lands on the websites', async () => {
    const other = await openPage(browser)
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, tenant)
    await other.page.waitForURL(`${panel.baseUrl}/websites`)
    const menu = other.page.getByRole('navigation', { name: 'Main menu' })
    await settles(() => menu.getByText('Dashboard').count(), 0)
    await other.page.goto(`${panel.baseUrl}/dashboard`)
    await other.page.waitForURL(`${panel.baseUrl}/websites`)
    assert.deepEqual(other.complaints, [])
    await other.context.close()
  })

  test('charts what the panel has sampled since its start', async () => {
    const { page } = visit
    for (const name of ['CPU', 'Memory', 'Disk', 'Network'])
      await page.getByRole('img', { name: new RegExp(`^${name}: .+ now, .+ at most`) }).waitFor()
    await assertSound(page, 'charts', ['light, desktop', 'dark, phone'])
    assert.deepEqual(watched.complaints, [])
  })
})
