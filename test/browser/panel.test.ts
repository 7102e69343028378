import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { verifyBytes } from '../../src/app/audit/testing/exported.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { openArea, signIn, signOut } from './flows/sign-in.ts'
import { createKey, createUser, openUser, resetPassword, switchSuspension } from './flows/users.ts'
import { admin, type RunningPanel, startPanel } from './panel.ts'
import { settles } from './settles.ts'

const tenant = { email: 'tenant@example.com', password: 'another long password', fullname: 'Tenant One' }

describe('the panel in a browser', () => {
  let panel: RunningPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    panel = await startPanel(process.env['HOSTREEVE_ENTRY'])
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
  })
  after(async () => {
    await browser?.close()
    await panel?.stop()
  })

  test('refuses a wrong password in words, and keeps the page sound', async () => {
    const { page, baseUrl } = visit
    await page.goto(baseUrl)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Must be an e-mail address').waitFor()
    await assertSound(page, 'sign-in')
    await page.getByLabel('E-mail').fill(admin.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
  })

  test('signs in by keyboard, and stays signed in when the page is loaded again', async () => {
    await signIn(visit, admin)
    await visit.page.reload()
    await visit.page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    assert.deepEqual(
      await visit.page.evaluate('[Object.values(localStorage), document.cookie]'),
      [['1'], ''],
      'no script can read a token',
    )
  })

  test('creates a user, and shows a refused field where it stands', async () => {
    await createUser(visit, tenant)
    await visit.page.getByRole('link', { name: tenant.email }).waitFor()
    await createUser(visit, tenant)
    await visit.page
      .getByRole('dialog')
      .getByText(/belongs to another user|taken/i)
      .waitFor()
    await assertSound(visit.page, 'new user')
    await visit.page.keyboard.press('Escape')
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('offers to undo a change where it says that it was made', async () => {
    const { page } = visit
    await openUser(visit, tenant.email)
    const name = page.getByRole('textbox', { name: 'Full name' })
    await name.fill('Tenant Two')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const notice = page.getByRole('status').filter({ hasText: 'The profile was saved.' })
    await notice.getByRole('button', { name: 'Undo' }).waitFor()
    await assertSound(page, 'a notice with an undo', ['light, desktop', 'dark, phone'])
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: The profile was saved.').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: tenant.email }).waitFor()
    await settles(() => name.inputValue(), tenant.fullname)
  })

  test('grants a permission, and keeps it', async () => {
    const { page } = visit
    await openUser(visit, tenant.email)
    await page.getByLabel('Manage websites and their files').and(page.locator(':checked')).waitFor() // preselected
    await page.getByLabel('Open a terminal').check()
    await page.getByRole('button', { name: 'Save the permissions' }).click()
    await page.getByText('The permissions were saved.').first().waitFor()
    await page.reload()
    await page.getByLabel('Open a terminal').and(page.locator(':checked')).waitFor()
    await assertSound(page, 'user')
  })

  test('shows an API key once, and it opens the API', async () => {
    const key = await createKey(visit, 'from the browser')
    const answer = await fetch(`${panel.baseUrl}/api/auth/me`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 200)
    await settles(() => visit.page.getByText(key).count(), 0)
  })

  test('shows the plan of a suspension before it happens, and ends the user’s access', async () => {
    const plan = await switchSuspension(visit, 'Suspend')
    assert.match(plan, /suspend/i)
    await visit.page.getByRole('button', { name: 'Unsuspend' }).waitFor()
    const other = await openPage(browser)
    await other.page.goto(panel.baseUrl)
    await other.page.getByLabel('E-mail').fill(tenant.email)
    await other.page.getByRole('textbox', { name: 'Password' }).fill(tenant.password)
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.page.getByRole('alert').waitFor()
    await other.context.close()
    await switchSuspension(visit, 'Unsuspend')
  })

  test('resets a password, which ends the sessions of its user, and offers a Linux account', async () => {
    const { page } = visit
    const other = await openPage(browser)
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, tenant)
    await page.getByRole('button', { name: 'Reset password' }).click()
    await assertSound(page, 'reset password', ['light, desktop', 'dark, phone'])
    await page.keyboard.press('Escape')
    tenant.password = 'a password from the administrator'
    await resetPassword(visit, tenant.password)
    await other.page.reload()
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, tenant)
    await other.context.close()
    await page.getByRole('button', { name: 'Add Linux account' }).click()
    const dialog = page.getByRole('dialog', { name: `Add a Linux account to ${tenant.email}` })
    await dialog.getByRole('textbox', { name: 'Linux account' }).fill('root')
    await dialog.getByRole('button', { name: 'Add Linux account' }).click()
    await dialog.getByText('Root is reserved').waitFor()
    await assertSound(page, 'add a Linux account', ['light, desktop', 'dark, phone'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('offers a tenant no area that the account may not use', async () => {
    const other = await openPage(browser)
    await signIn({ baseUrl: panel.baseUrl, page: other.page }, tenant)
    const menu = other.page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    await settles(() => menu.getByText('Users').count(), 0)
    await settles(() => menu.getByText('Activity').count(), 0)
    await settles(() => menu.getByRole('button').count(), 0, 'nothing is greyed')
    assert.deepEqual(other.complaints, [])
    await other.context.close()
  })

  test('switches a plugin off and on again', async () => {
    const { page } = visit
    await openArea(visit, 'Plugins')
    const uptime = page.getByRole('switch', { name: 'Uptime monitor enabled' })
    await uptime.press('Space')
    const dialog = page.getByRole('dialog', { name: 'Disable Uptime monitor' })
    await dialog.getByRole('button', { name: 'Disable', exact: true }).and(page.locator(':enabled')).click()
    await page.getByText('Uptime monitor is disabled.').first().waitFor()
    await uptime.and(page.getByRole('switch', { checked: false })).press('Space')
    await page.getByText('Uptime monitor is enabled.').first().waitFor()
  })

  test('finds what was done in the activity, and verifies the chain', async () => {
    const { page } = visit
    await openArea(visit, 'Activity')
    await page.getByLabel('Area', { exact: true }).selectOption('Users')
    await page.getByLabel('User', { exact: true }).selectOption(admin.email)
    await page.getByLabel('Period', { exact: true }).selectOption('Last hour')
    await page.getByLabel('Search activity').fill('users_create_user')
    await page
      .getByRole('cell', { name: /^Create a user/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await page.getByText('The chain is intact').waitFor()
    const proof = page.getByRole('region', { name: 'Proof' })
    await proof.getByText(/^Last verified .*: \d+ entries$/).waitFor()
    await assertSound(page, 'the activity with its proof')
    const downloading = page.waitForEvent('download')
    await proof.getByRole('button', { name: 'Export with proof' }).click()
    const file = await (await downloading).path()
    const key = (await proof.getByLabel('Public key').textContent()) ?? ''
    const verdict = await verifyBytes(readFileSync(file), { key })
    assert.deepEqual([verdict.reason, verdict.is_key_given], [null, true])
    await page.getByLabel('Area', { exact: true }).selectOption('All areas')
  })

  test('shows the plan of an undo in the activity, and undoes what was asked for alone', async () => {
    const { page } = visit
    await openArea(visit, 'Activity')
    await page.getByLabel('Search activity').fill('plugins_')
    const last = page.getByRole('row').filter({ hasText: 'Enable a plugin' }).first()
    await last.getByRole('button', { name: /^Undo entry/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Undo entry/ })
    await dialog.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(':enabled')).waitFor()
    await assertSound(page, 'the plan of an undo', ['light, desktop', 'dark, phone'])
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText(/^Entry \d+ was undone/).waitFor()
    await page.getByLabel('Search activity').fill('activity_undo_change')
    await page.getByRole('cell', { name: /Undo entry \d+: Enable plugin/ }).waitFor()
  })

  test('lists sessions and signs out, also in the tab beside', async () => {
    const { page, baseUrl } = visit
    await page.goto(`${baseUrl}/account`)
    await page.getByText('this one', { exact: true }).waitFor()
    await assertSound(page, 'account')
    const second = await watched.context.newPage()
    await second.goto(baseUrl)
    await second.getByRole('navigation', { name: 'Main menu' }).waitFor()
    await signOut(visit)
    await second.reload()
    await second.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
