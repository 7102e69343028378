import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { licencePublicKey, signed, licenceFor, startLicenceServer } from '../support/licence-server.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the settings in a browser', () => {
  test('show the licence, and activate one', async (t) => {
    const server = await startLicenceServer()
    t.after(() => server.close())
    const panel = await openTestPanel({
      environment: {
        HOSTREEVE_DATA_DIR: '/var/lib',
        HOSTREEVE_LICENSE_URL: server.url,
        HOSTREEVE_LICENSE_PUBLIC_KEY: licencePublicKey,
        HOSTREEVE_MAX_WEBSITES: '7',
      },
    })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/settings`)
    await page
      .getByRole('navigation', { name: 'Pages of the settings' })
      .getByRole('link', { name: 'Licence' })
      .click()
    await page.getByText('No licence is stored.').waitFor()
    const facts = page.getByRole('table', { name: 'Current licence' })
    await facts.getByText('At most 7').waitFor()
    const enter = async (key: string) => {
      await page.getByRole('textbox', { name: 'Licence key' }).fill(key)
      await page.getByRole('button', { name: 'Activate' }).click()
    }
    server.answer = (reply) => void reply.writeHead(403).end()
    await enter('WRONG')
    await page.getByText('the licence server refused the key with status 403').waitFor()
    server.answer = (reply) => void reply.end(signed(licenceFor({ max_websites: 3 })))
    await enter('KEY-1234-5678-9012')
    await page.getByText('The licence is in force.').first().waitFor()
    await facts.getByText('At most 3').waitFor()
    await facts.getByText('KEY-••••••••9012').waitFor()
    assert.deepEqual(
      await page.getByRole('list', { name: 'Features' }).getByRole('listitem').allTextContents(),
      ['Clusters', 'Mailbox backup: unavailable'],
    )
    await assertSound(page, 'licence', ['light, desktop', 'dark, phone'])
    assert.deepEqual(
      complaints.filter((each) => !each.includes('400')), // the refused key
      [],
    )
  })
})
