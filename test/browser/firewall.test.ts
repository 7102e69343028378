import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { scriptNft, standInKernel } from '../../src/tools/nftables/testing/stand-in.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { openArea, signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const skip = process.getuid?.() === 0 ? false : 'only root changes the firewall'
const twoViews = ['light, desktop', 'dark, phone'] as const

describe('the firewall in a browser', { skip }, () => {
  const kernel = standInKernel()
  let panel: TestPanel
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let visit: Visit

  before(async () => {
    panel = await openTestPanel({ scripts: [scriptNft(kernel)], programs: ['systemd-run'] })
    await panel.start()
    web = await serveWithPages(panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    visit = { baseUrl: web.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, panel.admin)
    await openArea(visit, 'Firewall')
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await panel?.close()
  })
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
  const dialogOf = (name: string) => visit.page.getByRole('dialog', { name })
  const table = () => kernel.tables.get('hostreeve') ?? ''
  /** The browser of the test reaches the panel over loopback, which proves nothing. */
  const confirm = async () => {
    await countdown().getByRole('button', { name: 'Confirm', exact: true }).click()
    await countdown().getByRole('button', { name: 'confirm anyway' }).click()
  }
  const countdown = () => visit.page.getByRole('alert').filter({ hasText: /Confirm within \d+ s/ })
  const enable = async () => {
    await button('Enable').click()
    const dialog = dialogOf('Enable the firewall')
    await dialog.getByText('Load the table inet hostreeve').first().waitFor()
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click()
    await countdown().waitFor()
  }
  const enterPorts = async (ports: string) => {
    const field = dialogOf('Add rule').getByRole('combobox', { name: 'Ports' })
    await field.fill(ports)
    await field.press('Enter')
  }
  const addRule = async (ports: string, action: string) => {
    await button('Add rule').click()
    const dialog = dialogOf('Add rule')
    await dialog.getByLabel('Action').selectOption(action)
    await dialog.getByLabel('Protocol').selectOption('tcp')
    await enterPorts(ports)
    await assertSound(visit.page, 'firewall-rule', twoViews)
    await dialog.getByRole('button', { name: 'Add rule', exact: true }).click()
  }

  test('names the field of a rule that is refused, and adds it once it is right', async () => {
    const { page } = visit
    await page.getByText('No rules yet').waitFor()
    await addRule('30-20', 'allow')
    const dialog = dialogOf('Add rule')
    await dialog.getByText(/ends before it begins/).waitFor()
    await dialog.getByRole('combobox', { name: 'Ports' }).press('Backspace')
    await enterPorts('8000-8100')
    await dialog.getByRole('button', { name: 'Add rule', exact: true }).click()
    await page.getByRole('table', { name: 'Rules' }).getByText('8000-8100').waitFor()
    await assertSound(page, 'firewall-rules', twoViews)
  })

  test('is enabled with a countdown, and undone before its end', async () => {
    await enable()
    assert.match(table(), /policy drop/)
    await assertSound(visit.page, 'firewall-countdown', twoViews)
    await countdown().getByRole('button', { name: 'Undo now' }).click()
    await countdown().waitFor({ state: 'detached' })
    assert.equal(table(), '')
    await button('Enable').waitFor()
  })

  test('is enabled and confirmed, over a connection that is newer than the change', async () => {
    await enable()
    await confirm()
    await countdown().waitFor({ state: 'detached' })
    await button('Disable').waitFor()
    assert.match(table(), /8000-8100/)
    await until(async () =>
      (await panel.host.files.read('/etc/hostreeve/firewall.nft'))?.includes('8000-8100'),
    )
  })

  test('asks to confirm a rule that denies', async () => {
    await addRule('9000', 'deny')
    await countdown().getByText('Add a firewall rule: deny tcp 9000').waitFor()
    await confirm()
    await countdown().waitFor({ state: 'detached' })
    await visit.page.getByRole('table', { name: 'Rules' }).getByText('9000', { exact: true }).waitFor()
  })

  test('bans an address and releases it', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Bans', exact: true }).click()
    await button('Ban an address').click()
    const dialog = dialogOf('Ban an address')
    await dialog.getByLabel('Address').fill('192.0.2.7')
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    const row = page.getByRole('table', { name: 'Bans' }).getByRole('row', { name: /192\.0\.2\.7/ })
    await row.waitFor()
    assert.ok(kernel.elements.has('192.0.2.7'))
    await page.getByText('Administrators can be banned').waitFor()
    await assertSound(page, 'firewall-bans', twoViews)
    await row.getByRole('button', { name: 'Release' }).click()
    await dialogOf('Release 192.0.2.7').getByRole('button', { name: 'Release', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal(kernel.elements.size, 0)
  })

  test('says which other firewall is active, beside which it is enabled', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await button('Disable').click()
    await dialogOf('Disable the firewall').getByRole('button', { name: 'Disable', exact: true }).click()
    await button('Enable').waitFor()
    kernel.foreign = 'table ip filter {\n\tchain ufw-before-input {\n\t\taccept\n\t}\n}\n'
    await page.getByText('ufw is active').waitFor()
    await settles(() => button('Enable').isEnabled(), true)
    kernel.foreign = 'table inet firewalld {\n\tchain filter_INPUT {\n\t\taccept\n\t}\n}\n'
    await page.getByText('firewalld is active').waitFor()
    await page.getByText('Enabling this firewall reloads firewalld.').waitFor()
    await settles(() => button('Enable').isEnabled(), true)
  })
})
