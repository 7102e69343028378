import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import { startPowerdns } from '../../src/tools/powerdns/testing/scratch-powerdns.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('DNS in a browser', () => {
  test('creates a zone, applies staged records and a template, signs it, steers answers, and shows the role', async (t) => {
    const server = await startPowerdns(['edns-subnet-processing=yes'])
    t.after(() => server.stop())
    const panel = await openTestPanel({
      powerdns: { resolver: { address: '127.0.0.1', port: server.dnsPort } },
      scripts: [
        scriptPackages(new Map([['pdns-server', '4.7.3-2']])),
        scriptSystemd(new Map([['pdns', { isActive: true, isEnabled: true }]])),
      ],
    })
    t.after(() => panel.close())
    server.serveTo(panel.root)
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog').last()
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/dns`)
    await page.getByText('No zones yet').waitFor()
    await assertSound(page, 'no zones')
    await button('Create a zone').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('example.com')
    await confirm('Review changes')
    await dialog.getByText('Create the zone example.com').first().waitFor()
    await confirm('Create')
    await page.getByRole('link', { name: 'example.com', exact: true }).click()

    await button('Add records').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop')
    await dialog.getByRole('textbox', { name: 'Records', exact: true }).fill('192.0.2.10\n192.0.2.11')
    await assertSound(page, 'adding records')
    await confirm('Stage')
    await page.getByText('1 change is not yet applied').waitFor()
    assert.deepEqual(await server.dig('shop.example.com', 'A'), [])
    await button('Review changes').click()
    await dialog.getByText('shop.example.com. A').first().waitFor()
    await assertSound(page, 'the diff of the records')
    await confirm('Apply')
    await button('Edit shop A').waitFor()
    await page.getByText('1 change is not yet applied').waitFor({ state: 'detached' })
    assert.deepEqual(await server.dig('shop.example.com', 'A'), ['192.0.2.10', '192.0.2.11'])
    await page.getByLabel('Search records').fill('192.0.2.11')
    await button('Edit @ NS').waitFor({ state: 'detached' })
    await assertSound(page, 'the records of a zone')

    await page.goto(`${web.baseUrl}/dns/templates`)
    await page.getByText('No templates yet').waitFor()
    await button('Add a template').click()
    await confirm('Review changes')
    await confirm('Add')
    await button('Edit Website').waitFor()
    await assertSound(page, 'the templates')
    await page.goto(`${web.baseUrl}/dns/zones/example.com`)
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Apply a template' }).click()
    await dialog.getByPlaceholder('Choose a template').click()
    await page.getByRole('option', { name: 'Website' }).click()
    await dialog.getByRole('textbox', { name: 'ip', exact: true }).fill('192.0.2.30')
    await confirm('Review changes')
    await dialog.getByText('mail.example.com. A').first().waitFor()
    await confirm('Apply')
    await button('Edit mail A').waitFor()
    assert.deepEqual(await server.dig('mail.example.com', 'A'), ['192.0.2.30'])

    await button('Sign the zone').click()
    await dialog.getByText('Sign the zone example.com').first().waitFor()
    await confirm('Sign')
    await page.getByLabel('DS SHA-256').waitFor()
    const ds = await page.getByLabel('DS SHA-256').innerText()
    assert.match(ds, /^\d+ 13 2 [0-9a-f]{64}$/)
    await assertSound(page, 'a signed zone')
    await button('Remove the signatures').click()
    await dialog.getByRole('checkbox').check()
    await confirm('Remove')
    await button('Sign the zone').waitFor()
    assert.deepEqual(await server.dig('example.com', 'DNSKEY'), [])

    await page.goto(`${web.baseUrl}/dns/smart-rules`)
    await page.getByText('No smart rules yet').waitFor()
    await page.getByText('Rules by country are not available.').waitFor()
    await button('Add a smart rule').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('app')
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('192.0.2.40')
    await assertSound(page, 'adding a smart rule')
    await confirm('Review changes')
    await dialog.getByText('app.example.com. LUA').first().waitFor()
    await confirm('Add')
    await button('Edit app.example.com A').waitFor()
    assert.deepEqual(await server.dig('app.example.com', 'A'), ['192.0.2.40'])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('app')
    await page.getByRole('textbox', { name: 'Address of the client', exact: true }).fill('203.0.113.9')
    await button('Ask').click()
    await page.getByText('192.0.2.40, for 60 seconds').waitFor()
    await assertSound(page, 'the smart rules')
    await button('Edit app.example.com A').click()
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('192.0.2.41')
    await confirm('Review changes')
    await confirm('Save')
    await page.getByText('192.0.2.41 (1)').waitFor()
    assert.deepEqual(await server.dig('app.example.com', 'A'), ['192.0.2.41'])
    await button('Delete app.example.com A').click()
    await confirm('Delete')
    await page.getByText('No smart rules yet').waitFor()
    assert.deepEqual(await server.dig('app.example.com', 'A'), [])

    await page.goto(`${web.baseUrl}/dns/replication`)
    await page.getByText('Zones are not transferred.').waitFor()
    await button('Change the role').click()
    await assertSound(page, 'changing the role')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('master')
    await confirm('Review changes')
    await dialog.getByText('hostreeve.replication.conf').first().waitFor()
    await confirm('Change')
    await page.getByText('Transfers are allowed to: this host only.').waitFor()
    await assertSound(page, 'the role in replication')
    assert.deepEqual(complaints, [])
  })
})
