import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openProxyPanel } from '../../src/areas/sqlproxy/testing/proxy-panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the SQL proxy in a browser', () => {
  test('installs it, adds servers and a user, splits reads from writes, and sets up a virtual address', async (t) => {
    const proxy = await openProxyPanel({ isInstalled: false })
    t.after(() => proxy.close())
    const { panel, standIn } = proxy
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

    await page.goto(`${web.baseUrl}/sqlproxy`)
    await page.getByText('ProxySQL is not set up').waitFor()
    await assertSound(page, 'not installed')
    await button('Install ProxySQL').click()
    await confirm('Install')
    await dialog.getByText('Copy it now').waitFor()
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await confirm('Done')

    await page.getByText('No servers yet').waitFor()
    for (const [host, hostgroup] of [
      ['db1.example.com', '0'],
      ['db2.example.com', '1'],
    ] as const) {
      await button('Add a server').click()
      await field('Host name or address').fill(host)
      await field('Hostgroup').fill(hostgroup)
      if (hostgroup === '0') await assertSound(page, 'adding a server')
      await confirm('Review changes')
      await dialog.getByText(`server ${hostgroup} ${host} 3306`).first().waitFor()
      await confirm('Add')
      await button(`Edit ${host}:3306`).waitFor()
    }
    await assertSound(page, 'the servers')
    await button('Edit db2.example.com:3306').click()
    await field('Weight').fill('7')
    await confirm('Review changes')
    await confirm('Save')
    await page.getByText('db2.example.com:3306 was changed.').waitFor()
    const [row] = standIn.tables.rows('SELECT weight FROM runtime_mysql_servers WHERE hostgroup_id = 1')
    assert.equal(row?.['weight'], 7)

    await page.getByRole('link', { name: 'Users', exact: true }).last().click()
    await page.getByText('No users yet').waitFor()
    await button('Add a user').click()
    await field('Name').fill('shop')
    await dialog.getByLabel('Password', { exact: true }).fill('a-shop-password')
    await assertSound(page, 'adding a user')
    await confirm('Review changes')
    await confirm('Add')
    await button('Edit shop').waitFor()
    await assertSound(page, 'the users')

    await page.getByRole('link', { name: 'Query rules', exact: true }).click()
    await page.getByText('All statements go to the default hostgroup').waitFor()
    await button('Split reads from writes').click()
    await confirm('Review changes')
    await confirm('Split')
    await button('End the split').waitFor()
    await page.getByText('^SELECT', { exact: true }).waitFor()
    await assertSound(page, 'the rules')

    await page.getByRole('link', { name: 'Virtual address', exact: true }).click()
    await button('Set up an address').click()
    await field('Virtual address').fill('192.0.2.100')
    await field('Other host').fill('192.0.2.12')
    await assertSound(page, 'setting up the address')
    await confirm('Review changes')
    await dialog.getByText('keepalived.conf').first().waitFor()
    await confirm('Set up')
    await page.getByText('Another host has the address.').waitFor()
    await assertSound(page, 'the address')

    await page.getByRole('link', { name: 'Statistics', exact: true }).click()
    await page.getByText('No statements yet').waitFor()
    await assertSound(page, 'the statistics')

    await panel.request('POST', '/api/sqlproxy/stop', { as: panel.admin })
    await page.goto(`${web.baseUrl}/sqlproxy/users`)
    await page.getByText('ProxySQL does not run').waitFor()
    await settles(() => page.getByText('No users yet').count(), 0)
    await page.getByRole('link', { name: 'Virtual address', exact: true }).click()
    await page.getByText('192.0.2.100/24').waitFor()
    await assertSound(page, 'a proxy that does not run')
    assert.deepEqual(complaints, [])
  })
})
