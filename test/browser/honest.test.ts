import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { areas } from '../../src/app/areas.ts'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { scriptPages } from '../schema/scripts.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const kilobyte = 1000

describe('the sign-in page, and a session that has ended', () => {
  let bench: FilesBench
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched

  before(async () => {
    bench = await openFilesBench({ scripts: scriptPages() })
    web = await serveWithPages(bench.panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await bench?.remove()
  })

  test('shows a usable form in 60 kB, and opens the page that was asked for', async () => {
    const { page, transferred } = await openSlowly(browser, `${web.baseUrl}/activity`)
    const formBytes = transferred()
    assert.ok(formBytes < 60 * kilobyte, `the form takes ${formBytes} bytes`)
    await page.getByLabel('E-mail').fill(bench.panel.admin.email)
    await page.getByLabel('Password').fill(bench.panel.admin.password)
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/activity', 'the page that was asked for')
    await page.context().close()
  })

  test('takes at most 250 kB for the first page after it', async () => {
    for (const [person, heading] of [
      [bench.panel.admin, 'Dashboard'],
      [bench.alice, 'Websites'],
    ] as const) {
      const { page, transferred } = await openSlowly(browser, web.baseUrl)
      const formBytes = transferred()
      await page.getByLabel('E-mail').fill(person.email)
      await page.getByLabel('Password').fill(person.password)
      await page.getByLabel('Password').press('Enter')
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.waitForLoadState('networkidle')
      const bytes = transferred() - formBytes
      assert.ok(bytes < 250 * kilobyte, `${heading} takes ${bytes} bytes`)
      await page.context().close()
    }
  })

  test('refuses a wrong password on a sound page, in light and dark, also on a phone', async () => {
    const { page } = watched
    await page.goto(web.baseUrl)
    await page.getByLabel('E-mail').fill('nobody@example.com')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText(/./).waitFor()
    await assertSound(page, 'sign-in', ['light, desktop', 'dark, phone'])
    await signIn({ baseUrl: web.baseUrl, page }, bench.panel.admin)
  })

  test('shows what is missing in place of each page that an account may not use, and no button there', async () => {
    const { page, complaints } = await openPage(browser)
    const visit = { baseUrl: web.baseUrl, page }
    await signIn(visit, bench.alice)
    const refused = areas.filter(
      ({ menu, guard }) =>
        menu &&
        menu.path !== '/dashboard' &&
        (guard.kind === 'superuser' || (guard.kind === 'permission' && guard.slug !== 'websites_management')),
    )
    assert.ok(refused.length > 4)
    for (const { title, menu } of refused) {
      await page.goto(`${web.baseUrl}${menu?.path}`)
      await page
        .getByText(/Ask an administrator/)
        .first()
        .waitFor()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await settles(() => page.locator('main').getByRole('button').count(), 0, title)
    }
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('keeps a half-filled form when the session ends, and goes on after another sign-in', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/users`)
    await page.getByRole('button', { name: 'New user' }).click()
    const form = page.getByRole('dialog', { name: 'New user' })
    await form.getByLabel('E-mail').fill('half@example.com')
    await endSessions(bench)
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByRole('alert').waitFor()
    await assertSound(page, 'an ended session', ['light, desktop', 'dark, phone'])
    await again.getByRole('textbox', { name: 'Password' }).fill(bench.panel.admin.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await settles(() => form.getByLabel('E-mail').inputValue(), 'half@example.com')
  })

  test('loads the page anew when another user signs in over it', async () => {
    const { page } = watched
    await endSessions(bench)
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('E-mail').fill(bench.alice.email)
    await again.getByRole('textbox', { name: 'Password' }).fill(bench.alice.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await settles(() => page.getByRole('dialog', { name: 'New user' }).count(), 0)
    await page.getByText('You need the permission "Manage users". Ask an administrator').waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    await settles(() => page.getByRole('button', { name: 'Try again' }).count(), 0)
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

/** Opens a page that asks for a sign-in on a slow network. */
async function openSlowly(browser: Browser, url: string) {
  const { page } = await openPage(browser)
  const transferred = await slowDown(page)
  await page.goto(url)
  await page.locator('input[name=email]:focus').waitFor()
  return { page, transferred }
}

/**
 * Emulates a slow mobile network with an empty cache; returns a function that counts the bytes received so far, with headers and as compressed. An
 * address counts once: how often the page asks again depends on how long it waits.
 */
async function slowDown(page: Page): Promise<() => number> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1.6e6 / 8,
    uploadThroughput: 0.75e6 / 8,
  })
  const addresses = new Map<string, string>()
  const bytes = new Map<string, number>()
  network.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId) ?? requestId
    if (!bytes.has(address)) bytes.set(address, encodedDataLength)
  })
  return () => bytes.values().reduce((sum, each) => sum + each, 0)
}

async function endSessions({ panel }: FilesBench): Promise<void> {
  const { data } = await panel.request('GET', '/api/auth/sessions', { as: panel.admin })
  for (const { id, is_current: isCurrent } of data as { id: number; is_current: boolean }[])
    if (!isCurrent) await panel.request('DELETE', `/api/auth/sessions/${id}`, { as: panel.admin })
}
