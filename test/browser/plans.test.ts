import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { haproxySkipReason } from '../../src/tools/haproxy/testing/scratch.ts'
import { assertSound, openBrowser, openPage, type Visit } from './browser.ts'
import { openLoadBalancer } from './flows/lbproxy.ts'
import { openArea, signIn } from './flows/sign-in.ts'
import { type LbproxyPanel, openLbproxyPanel } from './lbproxy-panel.ts'
import { settles } from './settles.ts'
import { freePorts } from '../support/free-ports.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('plans in a browser', { skip: haproxySkipReason() }, () => {
  let balancer: LbproxyPanel
  let browser: Browser
  let visit: Visit

  before(async () => {
    balancer = await openLbproxyPanel(`${dirname(entry)}/web`)
    browser = await openBrowser()
    visit = { baseUrl: balancer.baseUrl, page: (await openPage(browser)).page }
    await signIn(visit, balancer.panel.admin)
  })
  after(async () => {
    await browser?.close()
    await balancer?.stop()
  })

  test('shows the plan of a form beside its main button, and drops it when a field changes', async () => {
    const { page } = visit
    await openArea(visit, 'Users')
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    const plan = dialog.getByRole('region', { name: 'Review changes' })
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByText(/Must be an e-mail address/).waitFor()
    await dialog.getByLabel('E-mail').fill('ada@example.com')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await dialog.getByRole('textbox', { name: 'Full name' }).fill('Ada')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await plan.waitFor()
    const rows = plan.locator('details')
    assert.equal(await rows.evaluate((each) => (each as { open?: boolean }).open), false)
    await assertSound(page, 'a plan in a form')
    await dialog.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace')
    await plan.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Create the user' }).click()
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
  })

  test('says what was done and offers to undo it', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    const name = page.getByRole('textbox', { name: 'Full name' })
    await name.fill('Countess')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The profile was saved.').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await page.getByText('Undone: The profile was saved.').waitFor()
    await page.locator('input[value="Ada Lovelace"]').waitFor()
  })

  test('names the program that holds a port, and enters a free one', async (t) => {
    const { page } = visit
    const [port] = (await freePorts(1)) as [number]
    const holder = createServer().listen(port, '0.0.0.0')
    t.after(() => holder.close())
    await once(holder, 'listening')
    await openLoadBalancer(visit)
    await page.getByRole('button', { name: 'New frontend' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New frontend' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('held')
    await dialog.locator('[name="binds.0.port"]').fill(String(port))
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog
      .getByText(new RegExp(`port ${port} is used by .+ \\(process ${process.pid}\\)`, 'i'))
      .waitFor()
    await assertSound(page, 'a port that is in use')
    const offer = dialog.getByRole('button', { name: /^Use port \d+$/ })
    const free = /\d+/.exec((await offer.textContent()) ?? '')?.[0]
    await offer.click()
    await settles(() => dialog.locator('[name="binds.0.port"]').inputValue(), free)
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('dialog').last().getByRole('list', { name: 'Steps' }).waitFor()
  })
})
