import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { type ScriptedPackage, scriptUpdates } from '../../src/host/testing/scripted-updates.ts'
import { scriptProcesses } from '../schema/scripts.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { openArea, signIn } from './flows/sign-in.ts'
import { unreachableByKeyboard } from './keyboard.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const skip = process.getuid?.() === 0 ? false : 'only root installs updates'
const security = 'Debian-Security:12/stable-security'
const twoViews = ['light, desktop', 'dark, phone'] as const

describe('updates and processes in a browser', { skip }, () => {
  const packages = new Map<string, ScriptedPackage>()
  let panel: TestPanel
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    for (let count = 1; count <= 30; count++)
      packages.set(`lib${count}`, { installed: '1.0', candidate: '1.1' })
    packages.set('openssl', { installed: '3.0.19', candidate: '3.0.22', source: security })
    packages.set('mariadb-server', { installed: '10.11.1', candidate: '10.11.2', isHeld: true })
    panel = await openTestPanel({ scripts: [scriptUpdates(packages), scriptProcesses()] })
    await panel.start()
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
  })
  const table = (name: string) => visit.page.getByRole('table', { name })
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
  const confirm = async (title: string, label: string) => {
    const dialog = visit.page.getByRole('dialog', { name: title })
    await dialog
      .getByText('1.1')
      .or(dialog.getByText('3.0.22'))
      .or(dialog.getByText('SIGKILL follows'))
      .first()
      .waitFor()
    await assertSound(visit.page, title, twoViews)
    await dialog.getByRole('button', { name: label, exact: true }).click()
  }
  const closeJob = async (title: string) => {
    const dialog = visit.page.getByRole('dialog', { name: title })
    await dialog.getByText('Succeeded').waitFor()
    await visit.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  test('are listed with security updates first, searched, filtered and paged', async () => {
    const { page } = visit
    await openArea(visit, 'Updates')
    await table('Updates').getByRole('row').nth(1).getByText('openssl').waitFor()
    await page.getByText('1–25 of 32').waitFor()
    assert.deepEqual(await unreachableByKeyboard(page), [])
    await assertSound(page, 'updates')
    await page.getByLabel('Updates shown').selectOption('On hold or kept back')
    await table('Updates').getByText('On hold', { exact: true }).waitFor()
    await settles(() => table('Updates').getByRole('row').count(), 2)
    await page.getByLabel('Updates shown').selectOption('All updates')
    await page.getByRole('searchbox', { name: 'Search updates' }).fill('lib30')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('searchbox', { name: 'Search updates' }).fill('')
    await page
      .getByRole('button', { name: 'Next page' })
      .or(page.getByRole('button', { name: 'next page' }))
      .click()
    await page.getByText('26–32 of 32').waitFor()
  })

  test('of archives of security updates are installed alone, after their plan', async () => {
    await button('Security updates only').click()
    await confirm('Security updates only', 'Update')
    await closeJob('Security updates only')
    await visit.page.getByText('of 31').waitFor()
    await settles(() => button('Security updates only').count(), 0)
  })

  test('whose set-up fails are reported with its message, and named on the page until they are complete', async () => {
    const { page } = visit
    packages.get('lib7')!.failure = 'dpkg: error processing package lib7 (--configure)'
    await button('Update all').click()
    await confirm('Update all', 'Update')
    const dialog = page.getByRole('dialog', { name: 'Update all' })
    await dialog.getByText('error processing package lib7').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'lib7: the set-up failed' }).waitFor()
    delete packages.get('lib7')!.failure
    await button('Update all').click()
    await page.getByRole('dialog', { name: 'Update all' }).getByRole('button', { name: 'Update' }).click()
    await closeJob('Update all')
    await page.getByText('1–1 of 1').waitFor()
  })

  test('are none once the last is installed and the lists were fetched', async () => {
    const { page } = visit
    packages.delete('mariadb-server')
    await button('Check for updates').click()
    await closeJob('Check for updates')
    await page.getByText('No updates', { exact: true }).waitFor()
    await page.getByText('The package lists were fetched').waitFor()
    await settles(() => button('Update all').count(), 0)
    await assertSound(page, 'no updates', twoViews)
  })

  test('processes are searched, and killed after a plan', async () => {
    const { page } = visit
    await openArea(visit, 'Processes')
    await table('Processes').getByText('php-fpm').first().waitFor()
    assert.deepEqual(await unreachableByKeyboard(page), [])
    await assertSound(page, 'processes')
    await settles(() => button('Kill process 1').count(), 0)
    await page.getByRole('searchbox', { name: 'Search processes' }).fill('bob')
    await button('Kill process 4002').click()
    await confirm('Kill process 4002', 'Kill')
    await page.getByText('No processes match').waitFor()
    await page.getByRole('searchbox', { name: 'Search processes' }).fill('')
    await table('Processes').getByText('ada').waitFor()
    await settles(() => table('Processes').getByText('bob').count(), 0)
    assert.deepEqual(watched.complaints, [])
  })
})
