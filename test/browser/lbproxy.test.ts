import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { haproxySkipReason } from '../../src/tools/haproxy/testing/scratch.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { choose, confirm, look, openLoadBalancer, planIn, serverIn, setServerState } from './flows/lbproxy.ts'
import { signIn } from './flows/sign-in.ts'
import { type LbproxyPanel, openLbproxyPanel } from './lbproxy-panel.ts'
import { until } from '../support/until.ts'
import { settles } from './settles.ts'
import { freePorts } from '../support/free-ports.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const webFolder = `${dirname(entry)}/web`

describe('the load balancer in a browser', { skip: haproxySkipReason() }, () => {
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

  test('shows HAProxy’s words for an address that this host does not have, before anything is changed', async () => {
    const { page } = visit
    const before = await live()
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'New frontend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('twice')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('192.0.2.77')
    await dialog.getByLabel('Port').fill(String(freePort))
    await dialog.getByRole('combobox', { name: 'Default backend' }).fill('blog')
    assert.match(await look(visit), /cannot bind socket \(Cannot assign requested address\)/)
    await settles(() => page.getByRole('button', { name: 'Add the frontend' }).isDisabled(), true)
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
    await settles(
      () => page.getByRole('dialog').getByRole('button', { name: 'Delete the backend' }).isDisabled(),
      true,
    )
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
    await serverIn(visit, 'shop', 'shop2').getByText('Up', { exact: true }).waitFor()
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
