import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missing } from '../../src/host/testing/scripted-run.ts'
import { startDrivenDnsdist } from '../../src/tools/dnsdist/testing/scratch.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { settles } from './settles.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const webFolder = `${dirname(entry)}/web`

/** Opens a panel over a dnsdist that really runs, signed in, and what presses its buttons. */
async function openBalancer(t: TestContext) {
  const dnsdist = await startDrivenDnsdist()
  t.after(() => dnsdist.stop())
  const panel = await openTestPanel({ dnsdist: dnsdist.options })
  t.after(() => panel.close())
  await panel.start()
  const web = await serveWithPages(panel, webFolder)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog').last()
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const review = async (confirmLabel: string) => {
    await confirm('Review changes')
    await confirm(confirmLabel)
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  }
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  return { dnsdist, panel, web, page, complaints, button, dialog, field, confirm, review }
}

describe('the DNS balancer in a browser', () => {
  test('adds servers and lists, as dig sees', async (t) => {
    const { dnsdist, web, page, complaints, button, dialog, field, confirm, review } = await openBalancer(t)
    await page.goto(`${web.baseUrl}/dnslb`)
    await page.getByText('No servers yet').waitFor()
    await assertSound(page, 'no servers')
    await button('Add a server').click()
    await field('Name').fill('ns1')
    await field('Address').fill('ns1.example.com')
    await confirm('Review changes')
    await dialog.getByText('is not an IP address').first().waitFor()
    await field('Address').fill(dnsdist.backend.address)
    await field('Port').fill(String(dnsdist.backend.port))
    await assertSound(page, 'adding a server')
    await confirm('Review changes')
    await dialog.getByText('dnsdist takes the change as it runs, without a restart.').waitFor()
    await confirm('Add')
    await button('Edit ns1').waitFor()
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
    await assertSound(page, 'a server')

    await page.getByText('Queries per second').waitFor()

    await page.getByRole('link', { name: 'Lists', exact: true }).click()
    await page.getByText('No domain lists yet').waitFor()
    const hosts = '# ads\n0.0.0.0 ads.test\n0.0.0.0 track.test\n'
    await page.locator('input[type=file]').setInputFiles({
      name: 'ads.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(hosts),
    })
    await dialog.getByText('Import ads.txt').first().waitFor()
    await settles(() => field('Domains').inputValue(), 'ads.test\ntrack.test')
    await assertSound(page, 'importing a list')
    await review('Save')
    await page.getByText('The list has 2 domains.').waitFor()
    assert.equal(await dnsdist.dig('www.track.test'), 'NXDOMAIN')
    await button('Add a domain list').click()
    await field('Name').fill('good')
    await dialog.getByLabel('Action').selectOption({ label: 'Exempt from later lists' })
    await field('Domains').fill('good.ads.test')
    await review('Save')
    await button('Move up good').click()
    await confirm('Move')
    await button('Move up ads').waitFor()
    assert.equal(await dnsdist.dig('good.ads.test'), 'NOERROR')
    await button('Add an address list').click()
    await field('Name').fill('foes')
    await dialog.getByRole('combobox', { name: 'Addresses' }).fill('127.4.0.0/16')
    await dialog.getByRole('combobox', { name: 'Addresses' }).press('Enter')
    await review('Add')
    await button('Edit foes').waitFor()
    assert.equal(await dnsdist.dig('www.example', '127.4.0.1'), 'REFUSED')
    const blocked = page.getByRole('table', { name: 'Top blocked names' })
    await page.reload()
    await blocked.getByText('www.track.test').waitFor()
    await assertSound(page, 'the lists')
    assert.deepEqual(complaints, [])
  })

  test('adds rules, edits the configuration, refuses a panel that is none, stops and starts', async (t) => {
    const { dnsdist, panel, web, page, complaints, button, dialog, field, confirm, review } =
      await openBalancer(t)
    const server = { name: 'ns1', ...dnsdist.backend, mode: 'up' }
    const { status } = await panel.request('POST', '/api/dnslb/servers', { as: panel.admin, body: server })
    assert.equal(status, 200)
    await page.goto(`${web.baseUrl}/dnslb/rules`)
    await page.getByText('No rules yet').waitFor()
    await button('Add a rule').click()
    await field('Name').fill('no x')
    await dialog.getByLabel('Compares').selectOption({ label: 'Domain' })
    await field('With').fill('x.test')
    await dialog.getByLabel('Action').selectOption({ label: 'Refuse' })
    await assertSound(page, 'adding a rule')
    await review('Add')
    await button('Remove no x').waitFor()
    assert.equal(await dnsdist.dig('www.x.test'), 'REFUSED')
    await assertSound(page, 'the rules')

    await page.goto(`${web.baseUrl}/dnslb/config`)
    await page.getByText('Keep the last lines').waitFor()
    const editor = page.getByRole('textbox', { name: 'Configuration of dnsdist' })
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('-- by hand\n')
    await button('Review changes').click()
    await dialog
      .getByText(/dnsdist restarts/)
      .first()
      .waitFor()
    await confirm('Apply')
    await page.getByText('the former one was kept').first().waitFor()
    await assertSound(page, 'the configuration')

    await page.goto(`${web.baseUrl}/dnslb/others`)
    await page.getByText('No other servers yet').waitFor()
    await button('Add another server').click()
    await field('Name').fill('second')
    await field('Host').fill('127.0.0.1')
    await dialog.getByLabel('Port').fill('1')
    await dialog.getByLabel('API key').fill('bap_none')
    await confirm('Review changes')
    await dialog.getByText('the connection was refused').first().waitFor()
    await assertSound(page, 'another server that cannot be reached')
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()

    await button('Stop').click()
    await confirm('Stop it')
    await button('Start').click()
    await button('Restart').waitFor()
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
    assert.deepEqual(complaints, [])
  })

  test('offers to install a missing dnsdist', async (t) => {
    const panel = await openTestPanel({ scripts: [missing('dnsdist')] })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, webFolder)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/dnslb/lists`)
    await page.locator('#content').getByText('dnsdist is not installed').waitFor()
    await page.locator('#content').getByRole('button', { name: 'Install dnsdist', exact: true }).waitFor()
    await assertSound(page, 'dnsdist is missing')
    assert.deepEqual(complaints, [])
  })
})
