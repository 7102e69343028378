import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { keyOf } from '../../src/areas/auth/testing/secret-key.ts'
import { codeOf, counterAt } from '../../src/areas/auth/totp.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn, signOut } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('passkeys in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    await addDevice(visit.page)
    await signIn(visit, admin)
    await visit.page.goto(`${panel.baseUrl}/account`)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  const add = (password: string) => addPasskey(visit.page, password)

  test('are added with the password, and no second time on the same device', async () => {
    const { page } = visit
    const refused = await add('wrong password')
    await refused.getByText('is wrong').waitFor()
    await assertSound(page, 'passkey-adding', ['light, desktop', 'dark, phone'])
    await refused.getByRole('button', { name: 'Cancel' }).click()
    await add(admin.password)
    await page.getByText(`${new URL(panel.baseUrl).host} · on one device`).waitFor()
    const again = await add(admin.password)
    await again.getByText('This device has a passkey of yours for this host already.').waitFor()
    await again.getByRole('button', { name: 'Cancel' }).click()
  })

  test('sign in with one click', async () => {
    const { page } = visit
    await signOut(visit)
    await assertSound(page, 'sign-in-with-passkey', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
  })

  test('are refused with the reason where the browser does not trust the certificate of the panel', async () => {
    const { page } = await openPage(browser)
    // as Chromium refuses them; without a window it has no such check
    await page.addInitScript(`navigator.credentials.get = () =>
      Promise.reject(new DOMException('WebAuthn is not supported on sites with TLS certificate errors.', 'NotAllowedError'))`)
    await page.goto(panel.baseUrl)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The browser does not trust the certificate of the panel').waitFor()
  })

  test('are not offered at an IP address, and the card says why', async () => {
    const { page } = await openPage(browser)
    const baseUrl = panel.baseUrl.replace('localhost', '127.0.0.1')
    await signIn({ baseUrl, page }, admin)
    await page.goto(`${baseUrl}/account`)
    await page.getByText('Passkeys need HTTPS and a host name').waitFor()
    await settles(() => page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    await signOut({ baseUrl, page })
    await settles(() => page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  })

  test('are refused once they are deleted', async () => {
    const { page } = visit
    await page.goto(`${panel.baseUrl}/account`)
    await page.getByRole('button', { name: 'Delete the passkey Laptop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the passkey Laptop' })
    await dialog.getByRole('button', { name: 'Delete the passkey' }).click()
    await page.getByText('The passkey was deleted.').first().waitFor()
    await signOut(visit)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The passkey is unknown here').waitFor()
    await settles(() => page.getByRole('button', { name: /^Account of/ }).count(), 0)
  })
})

describe('a passkey in place of a fresh code', () => {
  test('lets a deletion continue', async (t) => {
    const panel = await openTestPanel({ environment: { HOSTREEVE_FRESH_FACTOR_MINUTES: '10' } })
    t.after(() => panel.close())
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await addDevice(page)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/account`)
    await addPasskey(page, panel.admin.password)
    await page.getByText(`${new URL(web.baseUrl).host} · on one device`).waitFor()
    const post = async (path: string, body: object) =>
      (await panel.request('POST', `/api/auth/otp/${path}`, { as: panel.admin, body })).data
    const { secret } = await post('setup', { password: panel.admin.password })
    await post('enable', { otp: codeOf(keyOf(secret), counterAt(new Date())) })
    await page.getByRole('button', { name: 'Delete the passkey Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the passkey' }).click()
    const prompt = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await prompt.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await assertSound(page, 'fresh-factor-passkey', ['light, desktop', 'dark, phone'])
    await prompt.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was deleted.').first().waitFor()
    await prompt.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})

/** Adds a device to the browser that verifies its user and confirms at once. */
async function addDevice(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Asks for a passkey on the page of the account; returns the dialog. */
async function addPasskey(page: Page, password: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue on the device' }).click()
  return dialog
}
