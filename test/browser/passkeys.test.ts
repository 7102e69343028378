import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { signIn, signOut } from './flows/sign-in.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'

describe('passkeys in a browser', { timeout: 120_000 }, () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    visit = { baseUrl: panel.baseUrl, page: (await openPage(browser)).page }
    const device = await visit.page.context().newCDPSession(visit.page)
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
    await signIn(visit, admin)
    await visit.page.goto(`${panel.baseUrl}/account`)
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  const add = async (password: string) => {
    const { page } = visit
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
    await dialog.getByRole('button', { name: 'Continue on the device' }).click()
    return dialog
  }

  test('are added with the password, and no second time on the same device', async () => {
    const { page } = visit
    const refused = await add('wrong password')
    await refused.getByText('is wrong').waitFor()
    await assertSound(page, 'passkey-adding', ['light, desktop', 'dark, phone'])
    await refused.getByRole('button', { name: 'Cancel' }).click()
    await add(admin.password)
    await page.getByText('localhost · on one device').waitFor()
    const again = await add(admin.password)
    await again.getByText('This device has a passkey of yours already.').waitFor()
    await again.getByRole('button', { name: 'Cancel' }).click()
  })

  test('sign in with one click', async () => {
    const { page } = visit
    await signOut(visit)
    await assertSound(page, 'sign-in-with-passkey', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
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
    assert.equal(await page.getByRole('button', { name: /^Account of/ }).count(), 0)
  })
})
