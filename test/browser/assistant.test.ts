import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openAssistantPanel } from '../../src/areas/ai/testing/assistant-panel.ts'
import { standInShells } from '../../src/areas/terminal/testing/stand-in-shells.ts'
import { until } from '../support/until.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithSockets } from './with-sockets.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the assistant in a browser', () => {
  test('is set up in three steps, asked, and given secrets, channels and a console', async (t) => {
    const shells = standInShells()
    const on = await openAssistantPanel({ terminals: shells })
    t.after(() => on.close())
    const web = await serveWithSockets(on.panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, on.panel.admin)
    const dialog = page.getByRole('dialog')
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Pages of the assistant' }).getByRole('link', { name }).click()

    await page.goto(`${web.baseUrl}/assistant`)
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('custom')
    await page.getByRole('textbox', { name: 'Model' }).fill('m1')
    await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/v1')
    await page.getByLabel('Key of the provider').fill('sk-stand-in-0123456789')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('switch', { name: 'Read-only' }).waitFor()
    await page.getByRole('button', { name: 'Review changes (step 3)' }).click()
    await dialog.getByText('Install OpenClaw 2026.9.6').first().waitFor()
    await dialog.getByRole('button', { name: 'Set it up' }).click()
    await until(() => on.service.isActive)
    on.gateway.token = on.config().gateway.auth.token
    on.gateway.methods.set('device.pair.list', () => ({ pending: [] }))
    await page.keyboard.press('Escape')

    on.gateway.hasTool = true
    await page.getByRole('textbox', { name: 'Message' }).fill('Who am I?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Hello Ada').waitFor()
    await page.getByText('hostreeve__list_websites: done').waitFor()
    const looksSound = (title: string) => assertSound(page, title, ['light, desktop', 'dark, phone'])
    await looksSound('assistant')

    await tab('Vault')
    await page.getByRole('button', { name: 'Add a secret' }).first().click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('DEPLOY_TOKEN')
    await dialog.getByLabel('Value').fill('a long secret value')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The secret was saved.').waitFor()
    await page.getByRole('cell', { name: 'DEPLOY_TOKEN', exact: true }).waitFor()
    assert.match(on.environment(), /DEPLOY_TOKEN='a long secret value'/)
    await looksSound('vault of the assistant')

    await tab('Channels')
    await page.getByRole('button', { name: 'Edit Telegram' }).click()
    await dialog.getByLabel('Token of the bot').fill('777:STANDIN')
    await dialog.getByRole('switch', { name: 'The assistant answers there' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Telegram was changed.').waitFor()
    await looksSound('channels of the assistant')

    await tab('Console')
    await page.getByRole('button', { name: 'Open the text console' }).waitFor()
    await page.getByRole('button', { name: 'Show to the network' }).click()
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.getByRole('button', { name: 'Show the token' }).click()
    await page.getByText(on.config().gateway.auth.token).waitFor()
    await looksSound('console of the assistant')
    await page.getByRole('button', { name: 'Open the text console' }).click()
    const own = await until(() => shells.opened.at(-1))
    assert.equal(own.username, 'ai')
    await tab('Settings')
    await page.getByRole('button', { name: 'Remove assistant' }).waitFor()
    await page.getByRole('button', { name: 'Edit the keys' }).click()
    await dialog.getByRole('checkbox', { name: 'Remove the key of Custom provider' }).check()
    await looksSound('keys of the assistant')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The keys were saved.').waitFor()
    assert.doesNotMatch(on.environment(), /CUSTOM_API_KEY/)
    const keys = await on.panel.request('GET', '/api/mcp-keys', { as: on.panel.admin })
    await on.panel.request('DELETE', `/api/mcp-keys/${keys.data[0].id}`, { as: on.panel.admin })
    await page.getByText('The assistant does not reach the panel').waitFor()
    await page.getByRole('button', { name: 'Connect to the panel' }).waitFor()
    await looksSound('settings of the assistant')
    await page.getByRole('button', { name: 'Remove assistant' }).click()
    await dialog.getByText('its memory and its conversations').first().waitFor()
    assert.deepEqual(complaints, [])
  })
})
