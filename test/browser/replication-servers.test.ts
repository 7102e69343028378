import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { TwoPanels } from '../../src/areas/replication-servers/testing/two-panels.ts'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const webFolder = `${dirname(entry)}/web`

/** Opens two panels, signed in at the first, and what presses its buttons. */
async function openServers(t: TestContext) {
  const panels = new TwoPanels()
  t.after(() => panels.close())
  await panels.open()
  const web = await serveWithPages(panels.first, webFolder)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog').last()
  const field = (name: string) => dialog.getByLabel(name)
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await signIn({ baseUrl: web.baseUrl, page }, panels.first.admin)
  return { panels, web, page, complaints, button, dialog, field, confirm }
}

describe('replication servers in a browser', () => {
  test('adds a server, tests it, switches a category, and sends again what was refused', async (t) => {
    const { panels, web, page, complaints, button, dialog, field, confirm } = await openServers(t)
    await page.goto(`${web.baseUrl}/replication-servers`)
    await page.getByText('No replication servers yet').waitFor()
    await assertSound(page, 'no servers')
    await button('Add a replication server').click()
    await field('Name').fill('second')
    await field('Host').fill('https://x:2087/')
    await field('Port').fill(String(panels.port))
    await field('API key').fill(await panels.key())
    await confirm('Review changes')
    await dialog.getByText('must be a host name').first().waitFor()
    await field('Host').fill('127.0.0.1')
    await assertSound(page, 'adding a server')
    await confirm('Review changes')
    await confirm('Add')
    await button('Test second').click()
    await page.getByText('second can be reached.').waitFor()
    await assertSound(page, 'a server')
    await button('Edit second').click()
    await field('Public key').waitFor()
    await assertSound(page, 'editing a server')
    await confirm('Cancel')

    await page.getByRole('link', { name: 'second', exact: true }).click()
    await page.getByText(`Public key ${panels.publicKey}`).waitFor()
    const users = page.getByRole('switch', { name: 'Users', exact: true })
    await users.press('Space')
    await until(async () => {
      const [server] = await panels.must('GET', '')
      const all = await panels.must('GET', `/${server.id}/categories`)
      return all.some((each: any) => each.category === 'users' && each.enabled)
    })
    const body = { email: 'twin@example.com', fullname: 'Twin', password: 'correct horse battery' }
    await panels.second.request('POST', '/api/users', { as: panels.second.admin, body })
    await panels.first.request('POST', '/api/users', { as: panels.first.admin, body })
    await button('Retry POST /api/users').waitFor()
    await assertSound(page, 'a request that was refused')
    await panels.second.store.db
      .updateTable('users')
      .set({ email: 'moved@example.com' })
      .where('email', '=', body.email)
      .execute()
    await button('Retry POST /api/users').click()
    await confirm('Send again')
    await page.getByText('second applied the request.').waitFor()
    const found = await panels.second.store.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', body.email)
      .execute()
    assert.equal(found.length, 1)
    await button('Clear finished requests').click()
    await confirm('Clear')
    await page.getByText('No requests').waitFor()
    await assertSound(page, 'an empty log')

    await page.goto(`${web.baseUrl}/replication-servers`)
    await page.getByRole('switch', { name: 'Enable second', exact: true }).press('Space')
    await page.getByText('Disabled', { exact: true }).waitFor()
    await button('Delete second').click()
    await confirm('Delete')
    await page.getByText('No replication servers yet').waitFor()
    assert.deepEqual(complaints, [])
  })
})
