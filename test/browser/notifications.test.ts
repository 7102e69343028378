import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

describe('notifications in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, admin)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  /** Signs in from another address of loopback. */
  const signInFrom = (localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { method: 'POST', localAddress, headers: { 'content-type': 'application/json' } }
      const asking = request(`${panel.baseUrl}/api/auth/login`, options, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
      asking.on('error', reject)
      asking.end(JSON.stringify(admin))
    })

  /** The bell asks every ten seconds, and when a page is opened. */
  const untilUnread = () =>
    until(async () => {
      await visit.page.reload()
      await visit.page.getByRole('button', { name: /^Notifications/ }).waitFor()
      return visit.page.getByRole('button', { name: 'Notifications, 1 unread' }).isVisible()
    })

  test('count on the bell, lead to their page, and are read then', async () => {
    const { page } = visit
    assert.equal(await signInFrom('127.0.0.2'), 200)
    await untilUnread()
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    const told = page.getByRole('link', { name: 'Sign-in from the new address 127.0.0.2' })
    await told.waitFor()
    await assertSound(page, 'notifications-bell', ['light, desktop', 'dark, phone'])
    await told.click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  })

  test('are listed, marked and deleted on their page', async () => {
    const { page } = visit
    assert.equal(await signInFrom('127.0.0.3'), 200)
    await untilUnread()
    await page.goto(`${panel.baseUrl}/notifications`)
    const second = 'Sign-in from the new address 127.0.0.3'
    await page.getByRole('button', { name: `Mark as read: ${second}` }).click()
    await page.getByRole('button', { name: `Mark as read: ${second}` }).waitFor({ state: 'detached' })
    await assertSound(page, 'notifications', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: `Delete: ${second}` }).click()
    await page.getByRole('link', { name: second }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete all notifications' })
    await dialog.getByRole('button', { name: 'Delete all' }).click()
    await page.getByText('No notifications', { exact: true }).waitFor()
  })

  test('are sent to channels, which are added, tested, switched off and deleted', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Delivery' }).click()
    await page.getByText('No channels', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add a channel' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a channel' })
    await dialog.getByLabel('Type').selectOption('webhook')
    await dialog.getByLabel('URL').fill('ftp://127.0.0.1/hook')
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    await dialog.getByText('must begin with http:// or https://').waitFor()
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/hook')
    await dialog.getByLabel('Only some notifications').click()
    await dialog.getByLabel('A job failed').click()
    await assertSound(page, 'notification-channel', ['light, desktop', 'dark, phone'])
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    const made = page.getByRole('dialog', { name: 'New webhook' })
    await made.getByText(/^whsec_/).waitFor()
    await made.getByRole('button', { name: /^Copy/ }).click()
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Webhook · A job failed').waitFor()
    await page.getByRole('button', { name: 'Send a test to http://127.0.0.1:9/hook' }).click()
    await page.getByText('the connection was refused').waitFor()
    const isOn = page.getByRole('switch', { name: 'Send to http://127.0.0.1:9/hook' })
    await isOn.click()
    await page.reload()
    await isOn.waitFor()
    await settles(() => isOn.isChecked(), false)
    await assertSound(page, 'notification-delivery', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByLabel('E-mail address').fill('ada@example.com')
    await dialog.getByRole('button', { name: 'Add the channel' }).click()
    await page.getByText('Not confirmed: nothing is sent to it yet').waitFor()
    await page.getByRole('button', { name: 'Confirm ada@example.com' }).click()
    const confirming = page.getByRole('dialog', { name: 'Confirm the address' })
    await confirming.getByLabel('Code').fill('00000000')
    await assertSound(page, 'notification-confirm', ['light, desktop', 'dark, phone'])
    await confirming.getByRole('button', { name: 'Confirm the address' }).click()
    await confirming.getByText('is not the one of the mail to ada@example.com').waitFor()
    await confirming.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete ada@example.com' }).click()
    await page.getByRole('button', { name: 'Delete the channel' }).click()
    await page.getByText('ada@example.com', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete http://127.0.0.1:9/hook' }).click()
    await page.getByRole('button', { name: 'Delete the channel' }).click()
    await page.getByText('No channels', { exact: true }).waitFor()
  })
})
