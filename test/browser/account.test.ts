import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { createKey } from './flows/users.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'

const fresh = 'another long enough password'

describe('the own account in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, admin)
    await visit.page.goto(`${panel.baseUrl}/account`)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  test('shows all times in the time zone that was chosen', async () => {
    const { page } = visit
    const shown = async () => {
      const time = page.getByRole('table', { name: 'Sessions' }).locator('time').first()
      await time.hover()
      const text = await page.getByRole('tooltip').filter({ visible: true }).first().textContent()
      await page.mouse.move(0, 0)
      return { text, at: new Date((await time.getAttribute('datetime')) ?? '') }
    }
    await page.getByLabel('Full name').fill('Ada Lovelace')
    await page.getByLabel('Time zone').selectOption('Pacific/Kiritimati')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The profile was saved.').first().waitFor()
    const { text, at } = await shown()
    const wanted = await page.evaluate<string>(
      `new Date('${at.toISOString()}').toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Pacific/Kiritimati' })`,
    )
    assert.equal(text, wanted)
    await assertSound(page, 'account', ['light, desktop', 'dark, phone'])
  })

  test('shows an API key until it is copied, and the key opens the API', async () => {
    const key = await createKey(visit, 'deploy')
    const me = () => fetch(`${panel.baseUrl}/api/auth/me`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await (await me()).json()) as { data: { fullname: string; time_zone: string } }
    assert.deepEqual([data.fullname, data.time_zone], ['Ada Lovelace', 'Pacific/Kiritimati'])
    await visit.page.getByRole('button', { name: 'Delete the key deploy' }).click()
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
    await visit.page.getByText('The key was deleted.').first().waitFor()
    assert.equal((await me()).status, 401)
  })

  test('stays signed in when the password changes, and other sessions end', async () => {
    const { page } = visit
    const other = await openPage(browser)
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, admin)
    await page.getByLabel('Current password').fill(admin.password)
    await page.getByLabel('New password').fill(fresh)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password was changed. Your other sessions have ended.').first().waitFor()
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, { ...admin, password: fresh })
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the sessions' }).click()
    await page.getByText('All other sessions have ended.').first().waitFor()
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  })
})
