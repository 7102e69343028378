import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { makeSelfSigned } from '../../src/tools/haproxy/index.ts'
import { freePorts, haproxySkipReason } from '../../src/tools/haproxy/testing/scratch.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import {
  choose,
  confirm,
  look,
  openLoadBalancer,
  planIn,
  serverIn,
  setServerState,
  writeAtEnd,
} from './flows/lbproxy.ts'
import { signIn } from './flows/sign-in.ts'
import { type LbproxyPanel, openLbproxyPanel, serveWithPages } from './lbproxy-panel.ts'
import { until } from '../support/until.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const webFolder = `${dirname(entry)}/web`

describe('the load balancer in a browser', { timeout: 300_000, skip: haproxySkipReason() }, () => {
  let balancer: LbproxyPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  let freePort: number

  before(async () => {
    balancer = await openLbproxyPanel(webFolder)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: balancer.baseUrl, page: watched.page }
    freePort = (await freePorts(1))[0]!
    await signIn(visit, balancer.panel.admin)
  })
  after(async () => {
    await browser?.close()
    await balancer?.stop()
  })
  const live = () => readFile(balancer.haproxy.layout.configPath, 'utf8')
  const visited = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text()

  test('shows what sends to what, how servers are, and the traffic as it comes', async () => {
    await openLoadBalancer(visit)
    const { page } = visit
    const web = page.getByRole('article', { name: 'Frontend web' })
    await web.getByText('if is_api → api').waitFor()
    await web.getByText('default → shop').waitFor()
    await serverIn(visit, 'shop', 'shop1').getByText('Up', { exact: true }).waitFor()
    await serverIn(visit, 'shop', 'spare').getByText('Down', { exact: true }).waitFor()
    await page.getByRole('img', { name: /Requests\/s in the last minutes: Requests\/s: \d/ }).waitFor()
    const busy = page.getByRole('img', { name: /Requests\/s: [1-9][\d.]* now/ })
    await until(async () => {
      await Promise.all(Array.from({ length: 20 }, () => balancer.visit()))
      return (await busy.count()) > 0
    })
    await assertSound(page, 'overview')
  })

  test('counts every request, and shows all that HAProxy counts', async () => {
    await openLoadBalancer(visit, 'Statistics')
    const { page } = visit
    const row = page.getByRole('row', { name: /^api backend/ })
    await row.waitFor()
    const before = Number((await row.getByRole('cell').nth(3).textContent()) ?? '')
    for (let count = 0; count < 7; count++) assert.equal(await balancer.visit('/api/x'), 'server 3')
    await row
      .getByRole('cell')
      .nth(3)
      .getByText(String(before + 7), { exact: true })
      .waitFor()
    await page.getByText('Servers', { exact: true }).click()
    await row.waitFor({ state: 'detached' })
    await assertSound(page, 'numbers')
  })

  test('takes a server out and back with one click each, and visitors follow', async () => {
    await openLoadBalancer(visit)
    const shop1 = { backend: 'shop', server: 'shop1' }
    await setServerState(visit, shop1, 'Drain')
    await serverIn(visit, 'shop', 'shop1').getByText('Draining').waitFor()
    for (let count = 0; count < 4; count++) assert.equal(await balancer.visit(), 'server 2')
    await setServerState(visit, shop1, 'Maint')
    await serverIn(visit, 'shop', 'shop1').getByText('Maintenance').waitFor()
    assert.match(await live(), /server shop1 127\.0\.0\.1:\d+ check inter 200ms weight 2 # the large one/)
    await setServerState(visit, shop1, 'Ready')
    await until(async () => (await balancer.visit()) === 'server 1')
  })

  test('builds a way for visitors by three forms, each of which shows its change first', async () => {
    const { page } = visit
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'New backend' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('blog')
    assert.match(await look(visit), /\+backend blog/)
    assert.doesNotMatch(await live(), /backend blog/)
    await assertSound(page, 'plan of a backend')
    await confirm(visit, 'Add the backend')
    await page
      .getByRole('article', { name: 'Backend blog' })
      .getByRole('button', { name: 'Add a server' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('blog1')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1:80')
    await dialog.getByLabel('Port').fill(String(balancer.serverPorts[1]))
    await page.getByRole('button', { name: 'Review changes' }).click()
    await dialog.getByText(/Must be a host name or an IP address without its port/).waitFor()
    await dialog.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1')
    await look(visit)
    await confirm(visit, 'Add the server')
    await page.getByRole('button', { name: 'New frontend' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('news')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1')
    await dialog.getByLabel('Port').fill(String(freePort))
    await dialog.getByRole('combobox', { name: 'Default backend' }).fill('blog')
    await assertSound(page, 'new frontend')
    assert.match(await look(visit), new RegExp(`\\+ *bind 127\\.0\\.0\\.1:${freePort}`))
    await confirm(visit, 'Add the frontend')
    await page.getByRole('article', { name: 'Frontend news' }).getByText('default → blog').waitFor()
    assert.equal(await visited(freePort), 'server 2')
  })

  test('edits rules by keyboard, and sends only what was changed', async () => {
    const { page } = visit
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'Actions for the frontend news' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add condition' }).press('Enter')
    await dialog
      .getByRole('group', { name: 'condition 1' })
      .getByRole('textbox', { name: 'Name' })
      .fill('is_x')
    await page.keyboard.press('Tab')
    await page.keyboard.type('path_beg /x')
    await dialog.getByRole('button', { name: 'Add rule' }).press('Enter')
    await dialog.getByRole('group', { name: 'rule 1' }).getByRole('combobox', { name: 'Backend' }).fill('api')
    await dialog
      .getByRole('group', { name: 'rule 1' })
      .getByRole('textbox', { name: 'Condition' })
      .fill('if is_x')
    await dialog
      .getByRole('group', { name: 'rule 1' })
      .getByRole('textbox', { name: 'Condition' })
      .press('Enter')
    const plan = await planIn(page.getByRole('dialog').last())
    assert.match(plan, /\+ *use_backend api if is_x/)
    assert.doesNotMatch(plan, /[+-] *(?:bind|default_backend)/)
    await confirm(visit, 'Change the frontend')
    await page.getByRole('article', { name: 'Frontend news' }).getByText('if is_x → api').waitFor()
    assert.equal(await (await fetch(`http://127.0.0.1:${freePort}/x`)).text(), 'server 3')
  })

  test('shows HAProxy’s words for an address that is taken, before anything is changed', async () => {
    const { page } = visit
    const before = await live()
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'New frontend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('twice')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1')
    await dialog.getByLabel('Port').fill(String(balancer.serverPorts[0]))
    await dialog.getByRole('combobox', { name: 'Default backend' }).fill('blog')
    assert.match(await look(visit), /cannot bind socket \(Address already in use\)/)
    assert.ok(await page.getByRole('button', { name: 'Add the frontend' }).isDisabled())
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    assert.equal(await live(), before)
  })

  test('refuses to delete a backend that is used, and deletes what is not', async () => {
    const { page } = visit
    await openLoadBalancer(visit)
    await choose(visit, 'backend blog', 'Delete')
    await page
      .getByRole('alert')
      .getByText(/blog is used by frontend news/i)
      .waitFor()
    assert.ok(await page.getByRole('dialog').getByRole('button', { name: 'Delete the backend' }).isDisabled())
    await page.keyboard.press('Escape')
    await choose(visit, 'frontend news', 'Delete')
    assert.match(await planIn(page.getByRole('dialog')), /-frontend news/)
    await confirm(visit, 'Delete the frontend')
    await page.getByRole('article', { name: 'Frontend news' }).waitFor({ state: 'detached' })
    await choose(visit, 'backend blog', 'Duplicate')
    await look(visit)
    await confirm(visit, 'Duplicate it')
    await page.getByRole('article', { name: 'Backend blog-copy' }).getByText('blog-copy_1').waitFor()
  })

  test('marks what HAProxy refuses in the text, and puts live what it takes', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Configuration')
    await writeAtEnd(visit, '\nbackend typed\n  nonsense here\n')
    await page.getByText(/unknown keyword 'nonsense'/).waitFor()
    await page.getByRole('button', { name: /^Line \d+$/ }).click()
    assert.equal(await page.locator('.cm-lineWithMessage').textContent(), '  nonsense here')
    assert.ok(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled())
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

  test('leaves the editor by Escape and Tab, and asks before changes are lost', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Configuration')
    await writeAtEnd(visit, '# not yet\n')
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate<boolean>("document.activeElement.matches('.cm-content')"))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.ok(!(await page.evaluate<boolean>("document.activeElement.matches('.cm-content')")))
    await page.getByRole('link', { name: 'Backups' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('link', { name: 'Backups' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('button', { name: 'Back up now' }).waitFor()
    assert.doesNotMatch(await live(), /not yet/)
  })

  test('tells when somebody else was faster, and lets the writer compare', async () => {
    const { page } = visit
    await openLoadBalancer(visit, 'Configuration')
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

  test('stops and starts HAProxy, and says meanwhile that nobody is answered', async () => {
    const { page } = visit
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('HAProxy has loaded its configuration.').first().waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await planIn(page.getByRole('dialog'))
    await confirm(visit, 'Stop it')
    await page.getByText('HAProxy is not running').waitFor()
    await assertSound(page, 'stopped load balancer')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await serverIn(visit, 'shop', 'shop2').getByText('Up', { exact: true }).waitFor({ timeout: 20_000 })
    await until(async () => (await balancer.visit()).startsWith('server'))
  })

  test('says where to begin when nothing is balanced', async () => {
    const { page } = visit
    const before = await live()
    await writeFile(balancer.haproxy.layout.configPath, before.slice(0, before.indexOf('frontend web')))
    await page.goto(`${balancer.baseUrl}/lbproxy`)
    await page.getByText('No load balancers yet').waitFor()
    await assertSound(page, 'nothing balanced')
    await writeFile(balancer.haproxy.layout.configPath, before)
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

describe('a host without HAProxy, in a browser', { timeout: 60_000 }, () => {
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
    await page.getByRole('main').getByRole('button', { name: 'Install HAProxy' }).click()
    await page.getByRole('dialog', { name: 'Install HAProxy' }).getByRole('progressbar').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
    await web.close()
  })
})
