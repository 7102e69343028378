import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { agentWith } from '../../src/areas/mcp/testing/agent.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

/** Opens the page of the MCP server, signed in. */
async function openMcpPage(t: TestContext) {
  const panel = await openTestPanel()
  t.after(() => panel.close())
  await panel.start()
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  await page.goto(`${web.baseUrl}/mcp`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog').last()
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  return { panel, web, page, complaints, button, dialog, confirm }
}

describe('the MCP server in a browser', () => {
  test('creates a key with a budget, disables and deletes it', async (t) => {
    const { panel, page, complaints, button, dialog, confirm } = await openMcpPage(t)
    await page.getByText('No keys', { exact: true }).waitFor()
    await assertSound(page, 'no mcp keys')
    await button('New key').click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('planner')
    await dialog.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: panel.admin.email }).click()
    await dialog.getByRole('switch', { name: 'Read-only' }).uncheck()
    await dialog.getByRole('switch', { name: 'Changes wait for approval' }).check()
    await dialog.getByLabel('Calls', { exact: true }).fill('100')
    await dialog.getByLabel('Bytes of answers', { exact: true }).fill('1048576')
    await assertSound(page, 'a new mcp key')
    await confirm('Create the key')
    await dialog.getByText(/^mcp_[0-9a-f]{64}$/).waitFor()
    await dialog.getByRole('button', { name: /^Copy/ }).click()
    await confirm('Done')
    await page.getByText('Everything a superuser may do').waitFor()
    await page.getByText('Changes wait for approval').waitFor()
    await page.getByText(/^In an hour: 0 of 100 calls, 0 B of 1\.0 MiB of answers$/).waitFor()
    await assertSound(page, 'an mcp key')
    const { data } = await panel.request('GET', '/api/mcp-keys', { as: panel.admin })
    assert.deepEqual([data[0].approve, data[0].budget], [true, { calls: 100, bytes: 1_048_576 }])
    await button('Calls with the key planner').click()
    await dialog.getByText('No calls', { exact: true }).waitFor()
    await confirm('Close')
    const isOn = page.getByRole('switch', { name: 'The key planner is enabled' })
    await isOn.press('Space')
    await settles(() => isOn.isChecked(), false)
    await page.getByText('Nothing: the key is disabled').waitFor()
    const person = await panel.person({ permissions: ['websites_management'] })
    const scopes = ['websites_management', 'plugins_management']
    const draft = { user_id: person.id, name: 'gardener', scopes, read_only: true }
    await panel.request('POST', '/api/mcp-keys', { as: panel.admin, body: draft })
    await page.reload()
    await page.getByText(/^In its scopes, but not permitted to the owner: /).waitFor()
    await assertSound(page, 'mcp keys of several owners')
    await button('Delete the key gardener').click()
    await confirm('Delete the key')
    await page.getByText('gardener', { exact: true }).waitFor({ state: 'detached' })
    await button('Delete the key planner').click()
    await confirm('Delete the key')
    await page.getByText('No keys', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('shows the plans of an agent, which are approved, rejected and found stale', async (t) => {
    const { panel, web, page, complaints, button, dialog, confirm } = await openMcpPage(t)
    const as = panel.admin
    const body = { user_id: as.id, name: 'planner', approve: true }
    const made = await panel.request('POST', '/api/mcp-keys', { as, body })
    const agent = agentWith(panel, made.data.token, made.data.key.id)
    const disable = (name: string) =>
      agent.call('api_call', { method: 'POST', path: `/plugins/${name}/disable` })
    const isEnabled = async (wanted: string): Promise<boolean> => {
      const { data } = await panel.request('GET', '/api/plugins', { as })
      return data.find(({ name }: { readonly name: string }) => name === wanted).enabled
    }
    await page
      .getByRole('navigation', { name: 'Pages of the MCP server' })
      .getByRole('link', { name: 'Approvals' })
      .click()
    await page.getByText('No changes', { exact: true }).waitFor()
    await assertSound(page, 'no approvals')

    assert.equal((await disable('uptime')).status, 202)
    await button('Review: Disable plugin uptime').click()
    await dialog.getByText('POST /api/plugins/uptime/disable, asked for with the key planner').waitFor()
    await assertSound(page, 'the plan of an agent')
    await confirm('Approve')
    await page.getByText('Approved: a job carries out the change.').waitFor()
    await settles(() => isEnabled('uptime'), false)
    await page.getByLabel('State', { exact: true }).selectOption('done')
    await button('View: Disable plugin uptime').click()
    await dialog.getByText('Answer, HTTP 200').waitFor()
    await confirm('Done')

    assert.equal((await disable('webacl')).status, 202)
    await page.getByLabel('State', { exact: true }).selectOption('pending')
    await button('Review: Disable plugin webacl').click()
    await panel.request('POST', '/api/plugins/webacl/disable', { as })
    await confirm('Approve')
    await dialog.getByText(/was changed meanwhile/).waitFor()
    await assertSound(page, 'a stale plan')
    await confirm('Done')

    assert.equal((await disable('nettools')).status, 202)
    await button('Review: Disable plugin nettools').click()
    await confirm('Reject')
    await page.getByText('Rejected.', { exact: true }).waitFor()
    assert.equal(await isEnabled('nettools'), true)
    await page.getByLabel('State', { exact: true }).selectOption('')
    await button('View: Disable plugin nettools').waitFor()
    await assertSound(page, 'approvals')
    await page.goto(`${web.baseUrl}/mcp`)
    await button('Calls with the key planner').click()
    await dialog.getByText(/^POST \/api\/plugins\/nettools\/disable api_call: HTTP 202$/).waitFor()
    await assertSound(page, 'calls with an mcp key')
    assert.deepEqual(complaints, [])
  })
})
