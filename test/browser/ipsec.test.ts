import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import { strongswan } from '../../src/tools/index.ts'
import { scriptCharon, standInCharon } from '../../src/tools/strongswan/testing/stand-in.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('IPsec tunnels in a browser', () => {
  test('installs strongSwan, adds a tunnel, tells why it is down, and removes it', async (t) => {
    const charon = standInCharon()
    const services = new Map([['strongswan', { isActive: false, isEnabled: false }]])
    const available = Object.fromEntries(strongswan.packages.map((name) => [name, '5.9.8-5+deb12u1']))
    const panel = await openTestPanel({
      scripts: [
        scriptCharon(charon, () => panel.root),
        scriptPackages(new Map(), available),
        scriptSystemd(services),
      ],
    })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog').last()
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/ipsec`)
    await page.getByText('strongSwan is not installed').first().waitFor()
    await assertSound(page, 'not installed')
    await page.getByRole('main').getByRole('button', { name: 'Install strongswan', exact: true }).click()
    await page.getByText('No tunnels yet').waitFor()
    await dialog.getByRole('button', { name: 'Close; the job continues' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button('Add a tunnel').click()
    await field('Name').fill('office')
    await field('Remote gateway').fill('192.0.2.2')
    await field('Local network').fill('10.1.0.0/16')
    await field('Remote network').fill('192.0.2.0/25')
    await confirm('Review changes')
    await dialog
      .getByText(/overlaps 192\.0\.2\.1\/24/)
      .first()
      .waitFor()
    await field('Remote network').fill('10.2.0.0/16')
    await assertSound(page, 'adding a tunnel')
    await confirm('Review changes')
    await dialog
      .getByText(/hostreeve-\d+\.conf/)
      .first()
      .waitFor()
    await confirm('Add')
    await dialog.getByText('Copy it now').waitFor()
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await confirm('Done')

    const [connection = ''] = charon.loaded.keys()
    charon.journal.push({
      MESSAGE: 'received NO_PROPOSAL_CHOSEN notify error',
      IKE_SA_UNIQUE_ID: '1',
      IKE_SA_NAME: connection,
      _PID: '9',
    })
    await page
      .getByText(/no proposal in common/)
      .first()
      .waitFor()
    await assertSound(page, 'a tunnel that is down')
    await button('Restart office').click()
    await page
      .getByText(/refuses the secret/)
      .first()
      .waitFor()
    charon.failure = ''
    await button('Restart office').click()
    await page.getByText('office was negotiated anew.').waitFor()
    await page.getByText('Up', { exact: true }).first().waitFor()
    await assertSound(page, 'a tunnel that is up')

    await button('Edit office').click()
    await field('Remote network').fill('10.3.0.0/16')
    await confirm('Review changes')
    await confirm('Save')
    await page.getByText('office was changed.').waitFor()
    assert.match(charon.loaded.get(connection) ?? '', /remote_ts = 10\.3\.0\.0\/16/)
    await button('Disable office').click()
    await confirm('Disable')
    await button('Enable office').waitFor()
    assert.equal(charon.loaded.size, 0)
    await button('Remove office').click()
    await confirm('Remove')
    await page.getByText('No tunnels yet').waitFor()
    assert.deepEqual(complaints, [])
  })
})
