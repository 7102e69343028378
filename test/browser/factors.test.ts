import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { keyOf } from '../../src/areas/auth/testing/secret-key.ts'
import { codeOf, counterAt } from '../../src/areas/auth/totp.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { openTestPanel, type Person, type TestPanel } from '../support/panel.ts'
import { signIn, signOut } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('two-factor authentication in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let visit: Visit
  let secret = ''
  let first = ''
  let recovery: readonly string[] = []

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

  /** The code of the step `later` steps from now: each step signs in once. */
  const code = (later: number) => codeOf(keyOf(secret), counterAt(new Date()) + later)

  const enterPassword = async () => {
    const { page } = visit
    await page.getByLabel('E-mail').fill(admin.email)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code of your authenticator app').waitFor()
  }

  test('is set up with a QR code and a first code, and shows the recovery codes until they are kept', async () => {
    const { page } = visit
    await page.getByRole('button', { name: 'Set up', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(admin.password)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    secret = (await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? ''
    await assertSound(page, 'second-factor-setup', ['light, desktop', 'dark, phone'])
    first = code(-1)
    await dialog.getByLabel('Code of your authenticator app').fill(first)
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    recovery = ((await codes.getByLabel('list of codes', { exact: true }).textContent()) ?? '').split('\n')
    assert.equal(recovery.length, 10)
    await settles(() => codes.getByRole('button', { name: 'Done' }).isDisabled(), true)
    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      codes.getByRole('link', { name: 'Download' }).click(),
    ])
    assert.equal(kept.suggestedFilename(), 'hostreeve-recovery-codes.txt')
    assert.equal(readFileSync(await kept.path(), 'utf8'), `${recovery.join('\n')}\n`)
    await codes.getByRole('button', { name: 'Done' }).click()
    await page.getByText('10 recovery codes are left.').waitFor()
    await assertSound(page, 'second-factor', ['light, desktop', 'dark, phone'])
  })

  test('asks for a code at sign-in, and keeps what was typed', async () => {
    const { page } = visit
    await signOut(visit)
    await enterPassword()
    const field = page.getByLabel('Code of your authenticator app')
    assert.deepEqual(
      await Promise.all(['autocomplete', 'inputmode'].map((name) => field.getAttribute(name))),
      ['one-time-code', 'numeric'],
    )
    await settles(() => page.getByLabel('Password').inputValue(), admin.password)
    await assertSound(page, 'sign-in-code', ['light, desktop', 'dark, phone'])
    await field.fill(first)
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong, or was used before').waitFor()
    await field.fill(code(1))
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  })

  test('takes a recovery code in its place', async () => {
    const { page } = visit
    await signOut(visit)
    await enterPassword()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  })

  test('asks for a code where a session has ended', async () => {
    const { page } = visit
    await page.goto(`${panel.baseUrl}/account`)
    await page.getByText('9 recovery codes are left.').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    const codes = page.getByRole('dialog', { name: 'New recovery codes' })
    await codes.getByLabel('Code').fill(recovery[3] ?? '')
    await codes.getByRole('textbox', { name: 'Current password' }).fill(admin.password)
    const other = await openPage(browser)
    await other.page.goto(panel.baseUrl)
    visit = { ...visit, page: other.page }
    await enterPassword()
    await other.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await other.page.getByLabel('Recovery code').fill(recovery[1] ?? '')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    await other.page.goto(`${panel.baseUrl}/account`)
    await other.page.getByRole('button', { name: 'End all other sessions' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'End the sessions' }).click()
    await other.page.getByText('All other sessions have ended.').first().waitFor()
    visit = { ...visit, page }
    // a request of the page itself may have found out already, and its dialog lies over the form
    await codes.locator('form').dispatchEvent('submit')
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByRole('textbox', { name: 'Password' }).fill(admin.password)
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.getByRole('button', { name: 'Use a recovery code' }).click()
    await ended.getByLabel('Recovery code').fill(recovery[2] ?? '')
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ended.waitFor({ state: 'detached' })
  })

  test('is turned off with both factors', async () => {
    const { page } = visit
    await page.goto(`${panel.baseUrl}/account`)
    await page.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication' })
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(admin.password)
    await dialog.getByLabel('Code').fill(recovery[4] ?? '')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Two-factor authentication is off.').first().waitFor()
    await signOut(visit)
    await signIn(visit, admin)
  })
})

describe('a fresh code of the second factor in a browser', () => {
  test('is asked for by a deletion, which then continues', async (t) => {
    const { panel, page, complaints, baseUrl } = await openPages(t)
    await panel.request('POST', '/api/auth/api-keys', { as: panel.admin, body: { name: 'deploy' } })
    const enabled = await enableOtp(panel, panel.admin)
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('button', { name: 'Delete the key deploy' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
    const prompt = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await prompt.getByRole('button', { name: 'Use a recovery code' }).click()
    await prompt.getByLabel('Recovery code').fill('wrong-codes')
    await prompt.getByRole('button', { name: 'Confirm' }).click()
    await prompt.getByText('The code is wrong, or was used before').waitFor()
    await assertSound(page, 'fresh-factor', ['light, desktop', 'dark, phone'])
    await prompt.getByLabel('Recovery code').fill(enabled.recovery_codes[0] ?? '')
    await prompt.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The key was deleted.').first().waitFor()
    await prompt.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})

describe('the second factor of another user in a browser', () => {
  test('is removed by a superuser, who is told where there is none', async (t) => {
    const { panel, page, baseUrl } = await openPages(t)
    const ada = await panel.person({ email: 'ada@example.com' })
    await enableOtp(panel, ada)
    const isEnabled = async () =>
      (await panel.request('GET', '/api/auth/otp', { as: ada })).data.is_enabled as boolean
    assert.equal(await isEnabled(), true)
    await page.goto(`${baseUrl}/users/${ada.id}`)
    const ask = async () => {
      await page.getByRole('button', { name: 'Remove second factor' }).click()
      return page.getByRole('dialog', { name: 'Remove the second factor of ada@example.com' })
    }
    const dialog = await ask()
    await dialog.getByText('Remove the second factor of ada@example.com').first().waitFor()
    await dialog.getByRole('button', { name: 'Remove the second factor' }).click()
    await page.getByText('ada@example.com signs in with the password alone now.').first().waitFor()
    assert.equal(await isEnabled(), false)
    await (await ask()).getByText('ada@example.com has no second factor').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${baseUrl}/users/${panel.admin.id}`)
    await page.getByRole('link', { name: 'Change your password' }).waitFor()
    await settles(() => page.getByRole('button', { name: 'Remove second factor' }).count(), 0)
  })
})

/** Opens a panel whose superuser is signed in. */
async function openPages(t: TestContext) {
  const panel = await openTestPanel({ environment: { HOSTREEVE_FRESH_FACTOR_MINUTES: '10' } })
  t.after(() => panel.close())
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  return { panel, page, complaints, baseUrl: web.baseUrl }
}

/** Sets up the second factor of a user; returns the recovery codes. */
async function enableOtp(panel: TestPanel, person: Person): Promise<{ recovery_codes: string[] }> {
  const post = async (path: string, body: object) =>
    (await panel.request('POST', `/api/auth/otp/${path}`, { as: person, body })).data
  const { secret } = await post('setup', { password: person.password })
  return post('enable', { otp: codeOf(keyOf(secret), counterAt(new Date())) })
}
