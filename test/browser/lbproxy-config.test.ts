import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { makeSelfSigned } from '../../src/tools/haproxy/index.ts'
import { haproxySkipReason } from '../../src/tools/haproxy/testing/scratch.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { confirm, look, openConfiguration, openLoadBalancer, planIn, writeAtEnd } from './flows/lbproxy.ts'
import { signIn } from './flows/sign-in.ts'
import { type LbproxyPanel, openLbproxyPanel, serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const webFolder = `${dirname(entry)}/web`

describe('a configuration in a browser', { skip: haproxySkipReason() }, () => {
  let balancer: LbproxyPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    balancer = await openLbproxyPanel(webFolder)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: balancer.baseUrl, page: watched.page }
    await signIn(visit, balancer.panel.admin)
  })
  after(async () => {
    await browser?.close()
    await balancer?.stop()
  })
  const live = () => readFile(balancer.haproxy.layout.configPath, 'utf8')

  test('marks what HAProxy refuses in the text, and puts live what it takes', async () => {
    const { page } = visit
    await openConfiguration(visit)
    await writeAtEnd(visit, '\nbackend typed\n  nonsense here\n')
    await page.getByText(/unknown keyword 'nonsense'/).waitFor()
    await page.getByRole('button', { name: /^Line \d+$/ }).click()
    await settles(() => page.locator('.cm-lineWithMessage').textContent(), '  nonsense here')
    await settles(() => page.getByRole('button', { name: 'Apply', exact: true }).isDisabled(), true)
    await assertSound(page, 'refused configuration')
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    await page.getByText('No changes.').waitFor()
    await writeAtEnd(visit, '\nbackend typed\n  balance first\n')
    await page.getByText('HAProxy accepts it').waitFor()
    const diff = (await page.getByLabel(/^Changes of/).textContent()) ?? ''
    assert.match(diff, /\+backend typed/)
    await page.keyboard.press('Control+s')
    await page.getByText('The configuration is live.').first().waitFor()
    assert.match(await live(), /\nbackend typed\n {2}balance first\n$/)
    assert.match(await live(), /insecure-password s3cret/)
  })

  const tabs = () => visit.page.getByRole('navigation', { name: 'Pages of the load balancer' })

  test('leaves the editor by Escape and Tab, and asks before changes are lost', async () => {
    const { page } = visit
    await openConfiguration(visit)
    await writeAtEnd(visit, '# not yet\n')
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate<boolean>("document.activeElement.matches('.cm-content')"))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.ok(!(await page.evaluate<boolean>("document.activeElement.matches('.cm-content')")))
    await tabs().getByRole('link', { name: 'Backups' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    await tabs().getByRole('link', { name: 'Backups' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('button', { name: 'Back up now' }).waitFor()
    assert.doesNotMatch(await live(), /not yet/)
  })

  test('tells when somebody else was faster, and lets the writer compare', async () => {
    const { page } = visit
    await openConfiguration(visit)
    await appendFile(balancer.haproxy.layout.configPath, '# by hand\n')
    await writeAtEnd(visit, '# mine\n')
    await page.getByText('The configuration has changed').waitFor()
    await page.getByText('-# by hand').waitFor()
    await page.getByText('+# mine').waitFor()
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('The configuration has changed').waitFor()
    assert.match(await live(), /# by hand\n$/)
    await page.getByRole('button', { name: 'Load theirs, discard mine' }).click()
    await page.getByRole('textbox', { name: 'Configuration of HAProxy' }).getByText('# by hand').waitFor()
    await page.getByText('No changes.').waitFor()
  })

  test('makes a certificate, refuses what is none, and deletes one that nothing uses', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Certificates')
    await page.getByRole('button', { name: 'Create a self-signed one' }).click()
    await page.getByLabel('Domain').fill('www.example.com')
    await look(visit)
    await confirm(visit, 'Create')
    await page.getByRole('cell', { name: 'www.example.com', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Upload a certificate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain').fill('other.example.com')
    await dialog
      .getByLabel('Certificate: its text')
      .fill('-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----')
    await assertSound(page, 'upload of a certificate')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog.locator('[aria-invalid=true], [role=alert]').first().waitFor()
    await page.keyboard.press('Escape')
    await assertSound(page, 'certificates')
    await page.getByRole('button', { name: 'Delete the certificate www.example.com' }).click()
    await planIn(dialog)
    await confirm(visit, 'Delete the certificate')
    await page.getByText('No certificates yet').waitFor()
  })

  test('takes a certificate with its key, and shows neither of them again', async () => {
    const { page } = visit
    const { pem } = await makeSelfSigned(['shop.example.net'], new Date())
    await openLoadBalancer(visit, 'Certificates')
    await page.getByRole('button', { name: 'Upload a certificate' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain').fill('shop.example.net')
    const key = pem.indexOf('-----BEGIN PRIVATE KEY')
    await dialog.getByLabel('Certificate: its text').fill(pem.slice(0, key))
    await dialog.getByLabel('Key: its text').fill(pem.slice(key))
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    const plan = await planIn(page.getByRole('dialog').last())
    assert.match(plan, /shop\.example\.net\.pem, readable only by root/)
    assert.doesNotMatch(plan, /BEGIN/)
    await confirm(visit, 'Store the certificate')
    await page.getByRole('cell', { name: 'shop.example.net', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete the certificate shop.example.net' }).click()
    await planIn(dialog)
    await confirm(visit, 'Delete the certificate')
    await page.getByText('No certificates yet').waitFor()
  })

  test('compares a backup with what runs, and brings it back', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Backups')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('Manual', { exact: true }).waitFor()
    const before = await live()
    await appendFile(balancer.haproxy.layout.configPath, '# a mistake\n')
    await page.getByRole('button', { name: /^Compare and restore/ }).click()
    assert.match(await planIn(page.getByRole('dialog')), /-# a mistake/)
    await confirm(visit, 'Restore it')
    await page.getByText('Before a restore').waitFor()
    assert.equal(await live(), before)
    await page.getByRole('button', { name: /^Delete the backup manual-/ }).click()
    await planIn(page.getByRole('dialog'))
    await confirm(visit, 'Delete the backup')
    await page.getByText('Manual', { exact: true }).waitFor({ state: 'detached' })
  })

  test('keeps the schedule of backups', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Backups')
    await page.getByLabel('Enable').check()
    await page.getByLabel('Every').selectOption('week')
    await page.getByLabel('Number kept').fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The configuration is backed up every week.').first().waitFor()
    await page.reload()
    await page.getByLabel('Enable').and(page.locator(':checked')).waitFor()
    assert.deepEqual(
      [await page.getByLabel('Every').inputValue(), await page.getByLabel('Number kept').inputValue()],
      ['week', '5'],
    )
    await assertSound(page, 'backups')
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

describe('a host without HAProxy, in a browser', () => {
  let panel: TestPanel
  let browser: Browser

  before(async () => {
    panel = await openTestPanel({ available: { haproxy: '2.6.12-1' } })
    await panel.start()
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await panel?.close()
  })

  test('says that it is not installed, and begins to install it as a job', async () => {
    const web = await serveWithPages(panel, webFolder)
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/lbproxy`)
    await page.getByText('HAProxy is not installed', { exact: true }).first().waitFor()
    await assertSound(page, 'HAProxy is not installed')
    await page.getByRole('main').getByRole('button', { name: 'Install haproxy' }).click()
    await page.getByRole('dialog', { name: 'Install haproxy' }).getByRole('progressbar').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
    await web.close()
  })
})
